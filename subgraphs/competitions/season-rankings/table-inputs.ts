/** The input of the table engine for one table of a stage, with the results that it carries over from an earlier stage. */
import { ascending } from '../rankings/placing.ts';
import type { CarriedPoints as PointsRule } from '../generated/resolvers.ts';
import { scoredInSets } from '../results/facts.ts';
import { rankTable } from '../standings/rank-table.ts';
import type { CarriedPoints, TableInput, TableMatch, TableOptions, TableSide } from '../standings/table-input.ts';
import { seasonRules, tableRulesOf } from './effective-rules.ts';
import {
  counts,
  inForce,
  isUndecided,
  type EntryFact,
  type MatchFact,
  type RankingFacts,
  type StageFact,
  type View,
} from './facts.ts';
import { acrossGroups } from './qualification.ts';

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

/** One table of a stage. */
export interface Table {
  readonly stage: StageFact;
  readonly groupName: string | null;
  /** Whether the participants are of several groups, who do not play each other. */
  readonly isAcrossGroups?: true;
  /** Participant → its group, over all participants of the stage. */
  readonly groups: ReadonlyMap<string, string>;
  readonly matches: readonly MatchFact[];
  readonly participants: readonly string[];
  /** Number of positions that the previous groups take, where positions continue from group to group. */
  readonly positionsBefore: number;
}

const pointsAfter: Readonly<Record<PointsRule, (points: number) => number>> = {
  FULL: (points) => points,
  HALVED_ROUNDED_UP: (points) => Math.ceil(points / 2),
  HALVED_ROUNDED_DOWN: (points) => Math.floor(points / 2),
};

type Carried = Pick<TableInput, 'matches' | 'carriedPoints'> & {
  readonly openMatches: NonNullable<TableInput['openMatches']>;
  readonly adjustments: NonNullable<TableInput['adjustments']>;
};

const nothing: Carried = { matches: [], openMatches: [], adjustments: [], carriedPoints: undefined };

/** What a table takes over from an earlier stage, which may itself carry over results. */
function carriedInto({ stage, participants }: Table, facts: RankingFacts, view: View, type: TableOptions['type']): Carried {
  const { carryOver } = stage;
  const source = facts.stages.find(({ id }) => id === carryOver?.fromStageId);
  // Only earlier stages, so that the recursion ends whatever the stored stages are.
  if (!carryOver || !source || source.ordinal >= stage.ordinal) return nothing;
  const ids = new Set(participants);
  const isOwn = ({ participantId }: EntryFact): boolean => participantId !== null && ids.has(participantId);
  const isCarried = ({ stageId, entries }: MatchFact): boolean =>
    stageId === source.id && (carryOver.matches === 'BETWEEN_QUALIFIED' ? entries.every(isOwn) : entries.some(isOwn));
  const matches = facts.matches.filter(isCarried);
  const table: Table = { stage: source, groupName: null, groups: new Map(), matches, participants, positionsBefore: 0 };
  // The matchdays of the earlier stage have their own numbers.
  const earlier = tableInputOf(facts, table, { ...view, matchday: null }, type);
  const withMatches = carryOver.matches !== 'NONE';
  const carriedPoints = rankTable(earlier).map(({ participantId, points: all }): [string, CarriedPoints] => {
    const points = pointsAfter[carryOver.points](all);
    const rounding = carryOver.points === 'FULL' ? 0 : points - all / 2;
    // Points that the earlier stage itself carried over are not in its matches.
    const own = earlier.carriedPoints?.get(participantId);
    return [participantId, { points, included: withMatches ? all - (own ? own.points - own.included : 0) : 0, rounding }];
  });
  return {
    ...(withMatches ? earlier : nothing),
    openMatches: withMatches ? (earlier.openMatches ?? []) : [],
    adjustments: withMatches ? (earlier.adjustments ?? []) : [],
    carriedPoints: new Map(carriedPoints),
  };
}

/** Participant → its division. The name includes the group, because groups may have divisions of the same name. */
const divisionsOf = ({ participants }: RankingFacts, groups: Table['groups']): ReadonlyMap<string, string> =>
  new Map(
    participants.flatMap(({ id, division }) =>
      division === null ? [] : [[id, JSON.stringify([groups.get(id) ?? null, division])] as const],
    ),
  );

/** The input of a table: the matches, adjustments and decisions that count in a view. */
export function tableInputOf(facts: RankingFacts, table: Table, view: View, type: TableOptions['type']): TableInput {
  const { stage, groupName, groups, matches, participants, isAcrossGroups, positionsBefore } = table;
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
  const carried = carriedInto(table, facts, view, type);
  const rules = tableRulesOf(season, stage);
  const zones = rules.zones.map(({ from, to, ...zone }) => ({ ...zone, from: from - positionsBefore, to: to - positionsBefore }));
  const adjustments = facts.adjustments
    .filter((each) => each.stageId === stage.id && ids.has(each.participantId) && inForce(each, season, view))
    .toSorted((one, other) => ascending(one.createdAt, other.createdAt) || ascending(one.reason, other.reason))
    .flatMap(({ participantId, points, reason }) => (points === null ? [] : [{ participantId, points, reason }]));
  return {
    rules: isAcrossGroups ? acrossGroups(rules) : { ...rules, zones },
    participants,
    matches: [...carried.matches, ...played],
    openMatches: [...carried.openMatches, ...openMatches],
    adjustments: [...carried.adjustments, ...adjustments],
    carriedPoints: carried.carriedPoints,
    ...(isAcrossGroups ? { groups } : {}),
    divisions: divisionsOf(facts, groups),
    decisions: facts.decisions
      .filter((each) => each.stageId === stage.id && each.groupName === groupName && inForce(each, season, view))
      .toSorted((one, other) => ascending(one.createdAt, other.createdAt) || ascending(one.id, other.id))
      .map(({ participantIds, criterion, reason }) => ({ order: participantIds, criterion, reason })),
    scoredInSets: scoredInSets(season.sport),
    options: { type },
  };
}
