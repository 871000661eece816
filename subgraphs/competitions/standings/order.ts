/** Orders the participants of a table criterion by criterion, and records each comparison. */
import type { DecisionCriterion, TableCriterion, TableRules } from '../../../schema/ranking-rules.ts';
import { compareValues, decisionCriteria, isDecision, isHeadToHead, measures, type Value } from './criteria.ts';
import type { MatchEntry } from './match-entry.ts';
import type { TieBreakDecision } from './table-input.ts';
import { tallyOf, type Tally } from './tally.ts';

export interface Standing {
  readonly participantId: string;
  readonly entries: readonly MatchEntry[];
  readonly total: Readonly<Tally>;
  /** Over the matches between participants of one group. */
  readonly within: Readonly<Tally>;
  /** Null: of no division. */
  readonly division: string | null;
  /** Over the matches between participants of one division. */
  readonly inDivision: Readonly<Tally>;
  readonly points: number;
  /** What the rounding of halved points added to `points`. */
  readonly rounding: number;
}

/** One comparison of participants who were tied before it: participant → value, highest rank first. */
export interface Step {
  readonly criterion: TableCriterion | null;
  readonly values: ReadonlyMap<string, Value | null>;
  readonly reason: string | null;
}

export interface Order {
  /** Highest rank first. The participants of a group share a position and are in the order of their IDs. */
  readonly groups: readonly (readonly Standing[])[];
  /** Participant → its comparisons in order. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
}

export interface OrderInput {
  readonly rules: TableRules;
  readonly decisions: readonly TieBreakDecision[];
  /** Participant → opponents that it has not met yet. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
  /** Participants that lead their divisions. */
  readonly divisionWinners: ReadonlySet<string>;
}

type Tied = readonly Standing[];
type Measurement = { readonly valueOf: (standing: Standing) => Value; readonly reason: string | null };
type MiniTable = {
  readonly tallies: ReadonlyMap<string, Readonly<Tally>>;
  readonly complete: boolean;
  /** Index of the head-to-head criterion for which it was computed. */
  readonly from: number;
};

const idsOf = (tied: Tied): ReadonlySet<string> => new Set(tied.map(({ participantId }) => participantId));

function miniTable(tied: Tied, from: number, open: OrderInput['open']): MiniTable {
  const ids = idsOf(tied);
  const tallies = new Map(tied.map(({ participantId, entries }) => [participantId, tallyOf(entries, ids)]));
  return { tallies, from, complete: [...ids].every((id) => open.get(id)?.isDisjointFrom(ids) ?? true) };
}

function decided(criterion: DecisionCriterion, tied: Tied, decisions: readonly TieBreakDecision[]): Measurement | null {
  const ids = [...idsOf(tied)];
  const decision = decisions.findLast((each) => each.criterion === criterion && ids.every((id) => each.order.includes(id)));
  if (!decision) return null;
  const places = new Map(decision.order.filter((id) => ids.includes(id)).map((id, index) => [id, index + 1]));
  return { valueOf: ({ participantId }) => places.get(participantId) ?? 0, reason: decision.reason };
}

/** Whether a criterion applies to the tied participants. With DIVISION_WINNER_IF_THREE_TIED in the order, DIVISION_WINNER is for ties of two. */
function applies(criterion: TableCriterion, [first, ...others]: Tied, order: readonly TableCriterion[]): boolean {
  if (criterion === 'DIVISION_WIN_PERCENTAGE')
    return first?.division != null && others.every(({ division }) => division === first.division);
  if (criterion === 'DIVISION_WINNER_IF_THREE_TIED') return others.length > 1;
  return criterion !== 'DIVISION_WINNER' || others.length === 1 || !order.includes('DIVISION_WINNER_IF_THREE_TIED');
}

/** Whether a criterion that was passed may still separate some of the tied participants, because it did not apply to all of them. */
const mayDiffer = (criterion: TableCriterion): boolean => isDecision(criterion) || criterion === 'DIVISION_WIN_PERCENTAGE';

/** Splits the tied participants by value, highest rank first. */
function split(tied: Tied, criterion: TableCriterion, valueOf: Measurement['valueOf']): Standing[][] {
  const groups: Standing[][] = [];
  let last: Value | undefined;
  const measured = tied.map((standing) => ({ standing, value: valueOf(standing) }));
  // The sort is stable, so tied participants stay in the order of their IDs.
  for (const { standing, value } of measured.sort((a, b) => compareValues(criterion, a.value, b.value))) {
    if (last !== undefined && compareValues(criterion, last, value) === 0) groups.at(-1)?.push(standing);
    else groups.push([standing]);
    last = value;
  }
  return groups;
}

/**
 * Orders standings by the criteria of the rules, then by decisions of kinds that the rules do not list.
 *
 * ALL_TIED: consecutive head-to-head criteria share one mini-table of all participants tied on the preceding criteria. Participants who stay
 * tied go on to the next criterion. REAPPLY (UEFA EURO 2024, article 20.01 d): before the next criterion, the head-to-head criteria apply again
 * to those still tied, with a new mini-table, if they separated others. RESTART (FIBA Official Basketball Rules D.1.4): when a criterion separates some participants, the list starts
 * again for those still tied, with a new mini-table. ALL_PLAYED: head-to-head criteria are skipped while two of the tied participants have
 * not met.
 */
export function orderStandings(standings: readonly Standing[], { rules, decisions, open, divisionWinners }: OrderInput): Order {
  const order = [...rules.order, ...decisionCriteria.filter((criterion) => !rules.order.includes(criterion))];
  const steps = new Map<string, Step[]>(standings.map(({ participantId }) => [participantId, []]));

  const record = (groups: readonly Tied[], step: Omit<Step, 'values'>, valueOf: (standing: Standing) => Value | null) => {
    const values = new Map(groups.flat().map((standing) => [standing.participantId, valueOf(standing)]));
    for (const id of values.keys()) steps.get(id)?.push({ ...step, values });
  };

  const measurementOf = (criterion: TableCriterion, tied: Tied, mini: MiniTable | null): Measurement | null => {
    if (isDecision(criterion)) return decided(criterion, tied, decisions);
    const measure = measures[criterion];
    const valueOf = (standing: Standing) => {
      const { participantId, total } = standing;
      const wonDivision = divisionWinners.has(participantId);
      return measure({ ...standing, wonDivision, mini: mini?.tallies.get(participantId) ?? total });
    };
    return { valueOf, reason: null };
  };

  const restarts = rules.headToHeadScope === 'RESTART';
  const isReapplied = (mini: MiniTable | null, tied: Tied): mini is MiniTable =>
    mini !== null && rules.headToHeadScope === 'REAPPLY' && tied.length < mini.tallies.size;

  /** `levelUntil`: the participants are tied on every criterion before it, except for head-to-head in another mini-table. */
  const rank = (tied: Tied, from: number, levelUntil: number, shared: MiniTable | null): readonly Tied[] => {
    if (tied.length === 1) return [tied];
    let mini = shared;
    for (const [at, criterion] of order.entries()) {
      if (at < from) continue;
      const headToHead = isHeadToHead(criterion);
      if (headToHead) {
        mini ??= miniTable(tied, at, open);
        if (!mini.complete && rules.headToHeadWhen === 'ALL_PLAYED') continue;
      } else {
        if (isReapplied(mini, tied)) return rank(tied, mini.from, levelUntil, null);
        mini = null;
        if (at < levelUntil && !mayDiffer(criterion)) continue;
        if (!applies(criterion, tied, order)) continue;
      }
      const measurement = measurementOf(criterion, tied, mini);
      if (!measurement) continue;
      const groups = split(tied, criterion, measurement.valueOf);
      record(groups, { criterion, reason: measurement.reason }, measurement.valueOf);
      if (groups.length === 1) continue;
      return groups.flatMap((group) =>
        restarts ? rank(group, 0, Math.max(at + 1, levelUntil), null) : rank(group, at + 1, at, mini),
      );
    }
    if (isReapplied(mini, tied)) return rank(tied, mini.from, levelUntil, null);
    record([tied], { criterion: null, reason: null }, () => null);
    return [tied];
  };

  const byId = standings.toSorted((a, b) => (a.participantId < b.participantId ? -1 : 1));
  return { groups: byId.length === 0 ? [] : rank(byId, 0, 0, null), steps };
}
