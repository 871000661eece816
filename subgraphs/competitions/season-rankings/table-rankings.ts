/** The tables of a stage: total, home and away for each group. */
import { ascending } from '../rankings/placing.ts';
import type { RankingType } from '../generated/resolvers.ts';
import { scoredInSets } from '../results/facts.ts';
import type { Value } from '../standings/criteria.ts';
import { rankTable } from '../standings/rank-table.ts';
import type { Comparison, StandingRow } from '../standings/standing-row.ts';
import type { TableInput, TableMatch, TableSide } from '../standings/table-input.ts';
import { kindOf, seasonRules, tableRulesOf } from './effective-rules.ts';
import {
  counts,
  isUndecided,
  dayOf,
  inForce,
  type EntryFact,
  type MatchFact,
  type ParticipantFact,
  type RankingFacts,
  type StageFact,
  type View,
} from './facts.ts';
import { recordOf } from './record.ts';
import type { ComparedValue, ComparisonValue, RankedPlace, RankingRecord } from './rows.ts';

const outcomeOf = (own: number | null, theirs: number | null): TableSide['outcome'] | null =>
  own === null || theirs === null ? null : own > theirs ? 'WIN' : own < theirs ? 'LOSS' : 'DRAW';

/** `given`: points of a result are table points. In a season that is ranked by a sum of points, they belong to that sum. */
function sideOf(entry: EntryFact, other: EntryFact, match: MatchFact, given: boolean): TableSide | null {
  const { participantId, side, part } = entry;
  if (participantId === null || !part) return null;
  const outcome = part.outcome ?? outcomeOf(part.score, other.part?.score ?? null);
  if (!outcome) return null;
  const { score, periodScores, tries, forfeit, bonusPoints } = part;
  return {
    participantId,
    venue: !match.neutral && (side === 'HOME' || side === 'AWAY') ? side : null,
    outcome,
    score,
    periodScores,
    tries,
    forfeit,
    points: given ? part.points : null,
    bonusPoints: bonusPoints.length === 0 ? null : bonusPoints.reduce((sum, { points }) => sum + points, 0),
  };
}

function tableMatchOf(match: MatchFact, given: boolean): TableMatch | null {
  const [first, second] = match.entries;
  if (!first || !second || match.entries.length > 2) return null;
  const [one, other] = [sideOf(first, second, match, given), sideOf(second, first, match, given)];
  if (!one || !other) return null;
  const { id, matchday, duration, startsAt } = match;
  const playedAtMs = Date.parse(startsAt);
  // The view has already selected the results that count, so none of them is provisional for the engine.
  return { id, playedAtMs, matchday, duration: duration ?? 'REGULAR', provisional: false, sides: [one, other] };
}

const pairOf = ({ entries: [one, other] }: MatchFact): (readonly [string, string])[] =>
  one?.participantId != null && other?.participantId != null ? [[one.participantId, other.participantId]] : [];

/** The view before the last matchday that counts, or before the last date where matches have none; null without earlier matches. */
function viewBefore(counted: readonly MatchFact[], view: View): View | null {
  const matchdays = counted.flatMap(({ matchday }) => matchday ?? []);
  if (matchdays.length === counted.length) {
    const last = Math.max(...matchdays);
    return matchdays.some((matchday) => matchday < last) ? { ...view, matchday: last - 1 } : null;
  }
  const last = counted.map(dayOf).toSorted().at(-1) ?? '';
  const before = counted
    .map(dayOf)
    .filter((day) => day < last)
    .toSorted()
    .at(-1);
  return before === undefined ? null : { ...view, asOf: before };
}

interface Table {
  readonly stage: StageFact;
  readonly groupName: string | null;
  readonly matches: readonly MatchFact[];
  readonly participants: readonly string[];
}

function inputOf(
  facts: RankingFacts,
  { stage, groupName, matches, participants }: Table,
  view: View,
  type: RankingType,
): TableInput {
  const { season } = facts;
  const given = stage.rankingRules?.method === 'TABLE' || seasonRules(season).method === 'TABLE';
  const ids = new Set(participants);
  const played: TableMatch[] = [];
  const openMatches: (readonly [string, string])[] = [];
  for (const match of matches) {
    const counted = counts(match, view) ? tableMatchOf(match, given) : null;
    if (counted) played.push(counted);
    // Matches that the view leaves out are still open in it. Annulled and cancelled ones are not.
    else if (isUndecided(match) || counts(match, {})) openMatches.push(...pairOf(match));
  }
  return {
    rules: tableRulesOf(season, stage),
    participants,
    matches: played,
    openMatches,
    adjustments: facts.adjustments
      .filter((each) => each.stageId === stage.id && ids.has(each.participantId) && inForce(each, season, view))
      .toSorted((one, other) => ascending(one.createdAt, other.createdAt) || ascending(one.reason, other.reason))
      .flatMap(({ participantId, points, reason }) => (points === null ? [] : [{ participantId, points, reason }])),
    decisions: facts.decisions
      .filter((each) => each.stageId === stage.id && each.groupName === groupName && inForce(each, season, view))
      .toSorted((one, other) => ascending(one.createdAt, other.createdAt) || ascending(one.id, other.id))
      .map(({ participantIds, criterion, reason }) => ({ order: participantIds, criterion, reason })),
    scoredInSets: scoredInSets(season.sport),
    options: { type },
  };
}

const comparedValue = (value: Value | null): ComparedValue | null =>
  value === null ? null : typeof value === 'number' ? { value, by: null } : { value: value.won, by: value.lost };

const comparisonOf = ({ criterion, value, against, reason }: Comparison): ComparisonValue => ({
  criterion,
  value: comparedValue(value),
  against: against.map(({ participantId, value: theirs }) => ({ participantId, value: comparedValue(theirs) })),
  reason,
});

/** Whether a row advances by place after the last match; null before it, and for rows that are tied for the last place. */
function qualifiedBy({ advancement }: StageFact, rows: readonly StandingRow[], open: boolean) {
  const [rule] = advancement.filter(({ by }) => by === 'PLACE');
  return ({ position }: StandingRow): boolean | null => {
    if (!rule || open) return null;
    const tied = rows.filter((row) => row.position === position).length;
    if (position + tied - 1 <= rule.count) return true;
    return position > rule.count ? false : null;
  };
}

function rowsOf(facts: RankingFacts, table: Table, view: View, type: RankingType): RankedPlace[] {
  const counted = table.matches.filter((match) => counts(match, view));
  const before = counted.length === 0 ? null : viewBefore(counted, view);
  const previous = new Map(
    before ? rankTable(inputOf(facts, table, before, type)).map((row) => [row.participantId, row.position]) : [],
  );
  const input = inputOf(facts, table, view, type);
  const rows = rankTable(input);
  const holders = Map.groupBy(rows, ({ position }) => position);
  const qualified = qualifiedBy(table.stage, rows, input.openMatches?.length !== 0 || counted.length === 0);
  return rows.map((row): RankedPlace => {
    const { setsWon, setsLost, pointsDeducted, tieBreak, ...columns } = row;
    const shared = (holders.get(row.position)?.length ?? 1) > 1;
    return {
      ...columns,
      previousPosition: previous.get(row.participantId) ?? null,
      shared,
      vacated: false,
      ...(input.scoredInSets ? { setsWon, setsLost } : {}),
      ...(pointsDeducted.reasons.length > 0 ? { pointsDeducted } : {}),
      ...(type === 'TOTAL' ? { qualified: qualified(row) } : {}),
      // Before the first match all rows are tied, which needs no explanation.
      tieBreak:
        tieBreak && !(shared && row.matchesPlayed === 0)
          ? { ...comparisonOf(tieBreak), chain: tieBreak.chain.map(comparisonOf) }
          : null,
    };
  });
}

/** The participants that are entered in the first table of their contest; none in later stages. */
function enteredIn(facts: RankingFacts, stage: StageFact): readonly ParticipantFact[] {
  const [first] = facts.stages
    .filter((each) => each.contestId === stage.contestId && kindOf(facts, each) === 'TABLE')
    .toSorted((one, other) => one.ordinal - other.ordinal || ascending(one.id, other.id));
  if (first?.id !== stage.id) return [];
  return facts.participants.filter(({ contestId }) => (contestId ?? stage.contestId) === stage.contestId);
}

/**
 * The participants of each table. A participant belongs to the group in which it is entered, whatever the groups of its matches: conferences
 * play each other. One that is entered in none belongs to the groups of its matches. Without groups, all are in one table (null).
 */
function participantsByGroup(
  facts: RankingFacts,
  stage: StageFact,
  matches: readonly MatchFact[],
): ReadonlyMap<string | null, readonly string[]> {
  const named = new Set([...stage.groups, ...matches.flatMap(({ groupName }) => groupName ?? []).toSorted()]);
  const tables = new Map<string | null, Set<string>>([...named].map((name) => [name, new Set()]));
  const add = (name: string | null, id: string): unknown => tables.get(name)?.add(id) ?? tables.set(name, new Set([id]));
  const entered = enteredIn(facts, stage);
  const groupOf = new Map(
    entered.flatMap(({ id, groupName }) => (groupName !== null && named.has(groupName) ? [[id, groupName]] : [])),
  );
  for (const [id, groupName] of groupOf) add(groupName, id);
  const playing = matches.flatMap(({ groupName, entries }) =>
    entries.flatMap(({ participantId }) =>
      participantId === null || groupOf.has(participantId) ? [] : { participantId, groupName },
    ),
  );
  for (const { participantId, groupName } of playing) if (groupName !== null) add(groupName, participantId);
  const placed = new Set([...tables.values()].flatMap((ids) => [...ids]));
  const others = [...entered.map(({ id }) => id), ...playing.map(({ participantId }) => participantId)];
  for (const id of others) if (!placed.has(id)) add(null, id);
  if (tables.size === 0) tables.set(null, new Set());
  return new Map([...tables].map(([name, ids]) => [name, [...ids].toSorted()]));
}

/** The tables of one stage. Home and away tables exist where a side plays at home. */
export function tableRankings(facts: RankingFacts, stage: StageFact, view: View): RankingRecord[] {
  const matches = facts.matches.filter(({ stageId }) => stageId === stage.id);
  return [...participantsByGroup(facts, stage, matches)].flatMap(([groupName, participants]) => {
    const ids = new Set(participants);
    const own = matches.filter(({ entries }) =>
      entries.some(({ participantId }) => participantId !== null && ids.has(participantId)),
    );
    const table = { stage, groupName, matches: own, participants };
    const atHome = own.some(
      (match) => !match.neutral && counts(match, view) && match.entries.some(({ side }) => side === 'HOME' || side === 'AWAY'),
    );
    const scope = { seasonId: facts.season.id, contestId: stage.contestId, stageId: stage.id, groupName };
    const types: readonly RankingType[] = atHome ? ['TOTAL', 'HOME', 'AWAY'] : ['TOTAL'];
    return types.flatMap((type) => recordOf({ of: scope, stage, method: 'TABLE', type, rows: rowsOf(facts, table, view, type) }));
  });
}
