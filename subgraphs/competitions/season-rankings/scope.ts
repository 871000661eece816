/** The rankings that depend on a change, and the stages that must be read to recompute them. */
import { kindOf } from './effective-rules.ts';
import type { RankingFacts, View } from './facts.ts';
import { contestRankings, isRankedAsWhole, wholeSeasonRanking } from './rankings-of.ts';
import type { RankingRecord, RankingScope } from './rows.ts';
import { tableRankings } from './table-rankings.ts';

type Structure = Pick<RankingFacts, 'season' | 'contests' | 'stages'>;

/** The parts of a season whose rankings must be recomputed. */
export interface Touched {
  /** Stages with a table. */
  readonly tables: readonly string[];
  /** Contests with all their rankings. */
  readonly contests: readonly string[];
  /** The ranking of the whole season. */
  readonly whole: boolean;
  /** Everything in the season. */
  readonly all: boolean;
}

/** The given stages, and those that carry over their results, directly or through another stage. */
function withDependents(stages: Structure['stages'], stageIds: readonly string[]): Set<string> {
  const found = new Set(stageIds);
  for (const { id, carryOver } of stages.toSorted((one, other) => one.ordinal - other.ordinal))
    if (carryOver && found.has(carryOver.fromStageId)) found.add(id);
  return found;
}

/** The given stages, and those whose results they carry over. */
function withSources(stages: Structure['stages'], stageIds: readonly string[]): Set<string> {
  const found = new Set(stageIds);
  for (const { id, carryOver } of stages.toSorted((one, other) => other.ordinal - one.ordinal))
    if (carryOver && found.has(id)) found.add(carryOver.fromStageId);
  return found;
}

/** A match affects its table, in heats and race stages its whole contest, and in a season that is ranked as a whole the whole season. */
export function touchedBy(structure: Structure, scopes: readonly RankingScope[]): Touched {
  const own = scopes.filter(({ seasonId }) => seasonId === structure.season.id);
  const all = own.some(({ contestId, stageId }) => contestId === null && stageId === null);
  const whole = all || isRankedAsWhole(structure);
  if (all) return { tables: [], contests: structure.contests.map(({ id }) => id), whole, all };
  const contests = new Set<string>();
  const tables = new Map<string, string>();
  for (const { contestId, stageId } of own) {
    const stage = structure.stages.find(({ id }) => id === stageId);
    if (stage && kindOf(structure, stage) === 'TABLE') tables.set(stage.id, stage.contestId);
    else if (stage && kindOf(structure, stage) !== 'KNOCKOUT') contests.add(stage.contestId);
    else if (stageId === null && contestId !== null) contests.add(contestId);
  }
  const single = [...tables].flatMap(([stageId, contestId]) => (contests.has(contestId) ? [] : [stageId]));
  return { tables: [...withDependents(structure.stages, single)], contests: [...contests], whole, all };
}

/** The stages whose matches are required. */
export function stagesOf(structure: Structure, { tables, contests, whole }: Touched): string[] {
  if (whole && isRankedAsWhole(structure)) return structure.stages.map(({ id }) => id);
  const sources = withSources(structure.stages, tables);
  return structure.stages
    .filter((stage) => sources.has(stage.id) || contests.includes(stage.contestId))
    .filter((stage) => kindOf(structure, stage) !== 'KNOCKOUT')
    .map(({ id }) => id);
}

/** The touched rankings, computed from facts that include at least their stages. */
export function rankTouched(facts: RankingFacts, { tables, contests, whole }: Touched, view: View = {}): RankingRecord[] {
  return [
    ...(whole ? wholeSeasonRanking(facts, view) : []),
    ...facts.stages.filter(({ id }) => tables.includes(id)).flatMap((stage) => tableRankings(facts, stage, view)),
    ...facts.contests.filter(({ id }) => contests.includes(id)).flatMap((contest) => contestRankings(facts, contest, view)),
  ];
}
