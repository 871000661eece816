/** The tables of a stage: total, home and away for each group, and the next-placed of all groups. */
import { ascending } from '../rankings/placing.ts';
import type { RankingType } from '../generated/resolvers.ts';
import { scoredInSets } from '../results/facts.ts';
import type { Value } from '../standings/criteria.ts';
import { rankTable } from '../standings/rank-table.ts';
import type { Comparison } from '../standings/standing-row.ts';
import type { TableInput, TableMatch, TableSide } from '../standings/table-input.ts';
import { seasonRules, tableRulesOf } from './effective-rules.ts';
import {
  counts,
  isUndecided,
  dayOf,
  inForce,
  type EntryFact,
  type MatchFact,
  type RankingFacts,
  type StageFact,
  type View,
} from './facts.ts';
import { acrossGroups, qualification, type Standings } from './qualification.ts';
import { recordOf } from './record.ts';
import type { ComparedValue, ComparisonValue, RankedPlace, RankingRecord } from './rows.ts';
import { participantsByGroup } from './table-groups.ts';

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
  /** Whether the participants are of several groups, who do not play each other. */
  readonly isAcrossGroups?: true;
  readonly matches: readonly MatchFact[];
  readonly participants: readonly string[];
}

function inputOf(
  facts: RankingFacts,
  { stage, groupName, matches, participants, isAcrossGroups }: Table,
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
    rules: isAcrossGroups ? acrossGroups(tableRulesOf(season, stage)) : tableRulesOf(season, stage),
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

interface Ranked extends Standings {
  readonly table: Table;
}

function standingsOf(facts: RankingFacts, table: Table, view: View, type: RankingType): Ranked {
  const input = inputOf(facts, table, view, type);
  return { table, rows: rankTable(input), open: input.openMatches?.length !== 0 || input.matches.length === 0 };
}

function placesOf(
  facts: RankingFacts,
  { table, rows }: Ranked,
  view: View,
  type: RankingType,
  qualified: ReadonlyMap<string, boolean | null>,
): RankedPlace[] {
  const counted = table.matches.filter((match) => counts(match, view));
  const before = counted.length === 0 ? null : viewBefore(counted, view);
  const previous = new Map(
    before ? rankTable(inputOf(facts, table, before, type)).map((row) => [row.participantId, row.position]) : [],
  );
  const inSets = scoredInSets(facts.season.sport);
  const holders = Map.groupBy(rows, ({ position }) => position);
  return rows.map((row): RankedPlace => {
    const { setsWon, setsLost, pointsDeducted, tieBreak, ...columns } = row;
    const shared = (holders.get(row.position)?.length ?? 1) > 1;
    return {
      ...columns,
      previousPosition: previous.get(row.participantId) ?? null,
      shared,
      vacated: false,
      ...(inSets ? { setsWon, setsLost } : {}),
      ...(pointsDeducted.reasons.length > 0 ? { pointsDeducted } : {}),
      ...(type === 'TOTAL' ? { qualified: qualified.get(row.participantId) ?? null } : {}),
      // Before the first match all rows are tied, which needs no explanation.
      tieBreak:
        tieBreak && !(shared && row.matchesPlayed === 0)
          ? { ...comparisonOf(tieBreak), chain: tieBreak.chain.map(comparisonOf) }
          : null,
    };
  });
}

/** The tables of one stage. Home and away tables exist where a side plays at home. */
export function tableRankings(facts: RankingFacts, stage: StageFact, view: View): RankingRecord[] {
  const matches = facts.matches.filter(({ stageId }) => stageId === stage.id);
  const tableOf = (groupName: string | null, participants: readonly string[]): Table => {
    const ids = new Set(participants);
    const isOwn = ({ participantId }: EntryFact): boolean => participantId !== null && ids.has(participantId);
    return { stage, groupName, matches: matches.filter(({ entries }) => entries.some(isOwn)), participants };
  };
  const tables = [...participantsByGroup(facts, stage, matches)].map(([groupName, ids]) => tableOf(groupName, ids));
  const totals = tables.map((table) => standingsOf(facts, table, view, 'TOTAL'));
  const rankNextPlaced = (participants: readonly string[]): Ranked =>
    standingsOf(facts, { ...tableOf(null, participants), isAcrossGroups: true }, view, 'TOTAL');
  const { qualified, nextPlaced } = qualification(stage, totals, rankNextPlaced);
  const recordsOf = (ranked: Ranked, type: RankingType): RankingRecord[] => {
    const scope = { seasonId: facts.season.id, contestId: stage.contestId, stageId: stage.id, groupName: ranked.table.groupName };
    return recordOf({ of: scope, stage, method: 'TABLE', type, rows: placesOf(facts, ranked, view, type, qualified) });
  };
  const isAtHome = (match: MatchFact): boolean =>
    !match.neutral && counts(match, view) && match.entries.some(({ side }) => side === 'HOME' || side === 'AWAY');
  const ofGroups = totals.flatMap((total) => {
    const types: readonly RankingType[] = total.table.matches.some(isAtHome) ? ['HOME', 'AWAY'] : [];
    const others = types.flatMap((type) => recordsOf(standingsOf(facts, total.table, view, type), type));
    return [...recordsOf(total, 'TOTAL'), ...others];
  });
  return [...ofGroups, ...(nextPlaced ? recordsOf(nextPlaced, 'TOTAL') : [])];
}
