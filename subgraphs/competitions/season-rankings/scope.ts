/** Which rankings a change touches, and which stages have to be read to make them anew. */
import type { RankingRecord, RankingScope } from './rows.ts';
import type { RankingFacts, View } from './facts.ts';
import { contestRankings, isRankedAsWhole, wholeSeasonRanking } from './rankings-of.ts';
import { kindOf } from './rules-of.ts';
import { tableRankings } from './table-rankings.ts';

type Frame = Pick<RankingFacts, 'season' | 'contests' | 'stages'>;

/** Parts of a season that are ranked by themselves. */
export interface Touched {
  /** Stages with tables of their own. */
  readonly tables: readonly string[];
  /** Contests of which every ranking is touched. */
  readonly contests: readonly string[];
  /** Whether the ranking of the whole season is. */
  readonly whole: boolean;
  /** Everything in the season. */
  readonly all: boolean;
}

/** A match of a table touches that table; one of heats or race stages its whole contest; any match a season that is ranked as a whole. */
export function touchedBy(frame: Frame, scopes: readonly RankingScope[]): Touched {
  const own = scopes.filter(({ seasonId }) => seasonId === frame.season.id);
  const all = own.some(({ contestId, stageId }) => contestId === null && stageId === null);
  const whole = all || isRankedAsWhole(frame);
  if (all) return { tables: [], contests: frame.contests.map(({ id }) => id), whole, all };
  const contests = new Set<string>();
  const tables = new Map<string, string>();
  for (const { contestId, stageId } of own) {
    const stage = frame.stages.find(({ id }) => id === stageId);
    if (stage && kindOf(frame, stage) === 'TABLE') tables.set(stage.id, stage.contestId);
    else if (stage && kindOf(frame, stage) !== 'KNOCKOUT') contests.add(stage.contestId);
    else if (stageId === null && contestId !== null) contests.add(contestId);
  }
  const single = [...tables].flatMap(([stageId, contestId]) => (contests.has(contestId) ? [] : [stageId]));
  return { tables: single, contests: [...contests], whole, all };
}

/** The stages whose matches are needed. */
export function stagesOf(frame: Frame, { tables, contests, whole }: Touched): string[] {
  if (whole && isRankedAsWhole(frame)) return frame.stages.map(({ id }) => id);
  return frame.stages
    .filter((stage) => tables.includes(stage.id) || contests.includes(stage.contestId))
    .filter((stage) => kindOf(frame, stage) !== 'KNOCKOUT')
    .map(({ id }) => id);
}

/** The rankings of what is touched, from facts that hold at least its stages. */
export function rankTouched(facts: RankingFacts, { tables, contests, whole }: Touched, view: View = {}): RankingRecord[] {
  return [
    ...(whole ? wholeSeasonRanking(facts, view) : []),
    ...facts.stages.filter(({ id }) => tables.includes(id)).flatMap((stage) => tableRankings(facts, stage, view)),
    ...facts.contests.filter(({ id }) => contests.includes(id)).flatMap((contest) => contestRankings(facts, contest, view)),
  ];
}
