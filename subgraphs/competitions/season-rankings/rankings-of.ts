/** Computes all rankings from the facts of a season, for storage, for rebuilds, and for past dates. */
import { kindOf, seasonRules } from './effective-rules.ts';
import type { ContestFact, RankingFacts, View } from './facts.ts';
import { markRankings } from './mark-rankings.ts';
import { bestResultRows, eloRows } from './points-rankings.ts';
import { raceRankings } from './race-rankings.ts';
import { recordOf } from './record.ts';
import type { RankingRecord } from './rows.ts';
import { tableRankings } from './table-rankings.ts';

/**
 * The rankings of one contest: a table for each group of its leagues and groups, a ranking by mark for its heats and finals, and the
 * classifications of its race stages, or the sum of their points with the method POINTS_BEST_N. Knock-out stages have a bracket instead.
 */
export function contestRankings(facts: RankingFacts, contest: ContestFact, view: View = {}): RankingRecord[] {
  const stages = facts.stages.filter(({ contestId }) => contestId === contest.id);
  const kinds = new Set(stages.map((stage) => kindOf(facts, stage)));
  const rules = seasonRules(facts.season);
  const race = (): RankingRecord[] => {
    if (rules.method !== 'POINTS_BEST_N') return raceRankings(facts, contest, view);
    const races = new Set(stages.filter((stage) => kindOf(facts, stage) === 'RACE').map(({ id }) => id));
    const matches = facts.matches.filter(({ stageId }) => races.has(stageId));
    const scope = { seasonId: facts.season.id, contestId: contest.id, stageId: null, groupName: null };
    return recordOf({ of: scope, method: rules.method, rows: bestResultRows({ ...facts, matches }, view, rules) });
  };
  return [
    ...stages.filter((stage) => kindOf(facts, stage) === 'TABLE').flatMap((stage) => tableRankings(facts, stage, view)),
    ...(kinds.has('MARK') ? markRankings(facts, contest, view) : []),
    ...(kinds.has('RACE') ? race() : []),
  ];
}

/** Whether the season has a ranking as a whole: by results or ratings over all its matches. */
export const isRankedAsWhole = ({ season }: Pick<RankingFacts, 'season'>): boolean =>
  ['POINTS_BEST_N', 'ELO'].includes(seasonRules(season).method);

/** Whether the season is a single race. Its ranking is then that of the contest. */
const isOneRace = (facts: RankingFacts): boolean =>
  facts.contests.length === 1 && facts.stages.every((stage) => kindOf(facts, stage) === 'RACE');

/** The ranking of the whole season; empty where its rules define none. */
export function wholeSeasonRanking(facts: RankingFacts, view: View = {}): RankingRecord[] {
  const rules = seasonRules(facts.season);
  const scope = { seasonId: facts.season.id, contestId: null, stageId: null, groupName: null };
  if (rules.method === 'POINTS_BEST_N' && !isOneRace(facts))
    return recordOf({ of: scope, method: rules.method, rows: bestResultRows(facts, view, rules) });
  if (rules.method === 'ELO') return recordOf({ of: scope, method: rules.method, rows: eloRows(facts, view, rules) });
  return [];
}

/** All rankings of a season. Without a result that counts, they are the tables of the participants. */
export const rankingsOf = (facts: RankingFacts, view: View = {}): RankingRecord[] => [
  ...wholeSeasonRanking(facts, view),
  ...facts.contests.flatMap((contest) => contestRankings(facts, contest, view)),
];
