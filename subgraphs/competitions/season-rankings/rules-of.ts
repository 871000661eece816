/** Which rules a stage and a season are ranked by, and which kind of ranking a stage has. */
import { rankingRuleSets, type RankingRules, type TableRules } from '../../../schema/ranking-rules.ts';
import { sports, type SportRow } from '../../../schema/sports.ts';
import { markRuleOf } from '../rankings/mark.ts';
import type { Sport } from '../resolvers.generated.ts';
import type { ContestFact, RankingFacts, SeasonFact, StageFact } from './facts.ts';

/** The published rules of a sport and discipline. */
export function sportRules(sport: Sport, discipline: string | null): RankingRules {
  const row: SportRow = sports[sport];
  const byDiscipline = discipline === null ? undefined : row.rankingRulesByDiscipline?.[discipline];
  return rankingRuleSets[byDiscipline ?? row.rankingRules];
}

/** The rules a season is ranked by. */
export const seasonRules = ({ rankingRules, sport, discipline }: SeasonFact): RankingRules =>
  rankingRules ?? sportRules(sport, discipline);

/** A round robin in a sport that has no tables: most wins, then who won between the level, then the share of sets and of games. */
const roundRobin: TableRules = {
  method: 'TABLE',
  points: { win: 1, draw: 0, loss: 0 },
  bonus: [],
  order: ['WINS', 'FEWEST_LOSSES', 'HEAD_TO_HEAD_POINTS', 'SET_RATIO', 'POINT_RATIO', 'DRAW_OF_LOTS'],
  headToHeadScope: 'ALL_TIED',
  headToHeadWhen: 'ALWAYS',
  zones: [],
};

/** Rules of a stage's table: its own, the season's, the sport's; those of a round robin where none of them is of a table. */
export function tableRulesOf(season: SeasonFact, stage: StageFact): TableRules {
  const candidates = [stage.rankingRules, season.rankingRules, sportRules(season.sport, season.discipline)];
  return candidates.find((rules) => rules?.method === 'TABLE') ?? roundRobin;
}

/** In these a score counts sets, and a period is one. */
export const scoredInSets = (sport: Sport): boolean => sport === 'VOLLEYBALL' || sport === 'TENNIS';

export type StageKind = 'TABLE' | 'MARK' | 'RACE' | 'KNOCKOUT';

const kinds = {
  LEAGUE: 'TABLE',
  GROUP: 'TABLE',
  KNOCKOUT: 'KNOCKOUT',
  HEATS: 'MARK',
  SEMIFINAL: 'MARK',
  FINAL: 'MARK',
  SWIM_OFF: 'MARK',
  RACE_STAGE: 'RACE',
} as const satisfies Partial<Record<StageFact['type'], StageKind>>;

/** How a stage is ranked. Qualifying is a table, but where marks decide. */
export function kindOf({ season, contests }: Pick<RankingFacts, 'season' | 'contests'>, stage: StageFact): StageKind {
  if (stage.type !== 'QUALIFYING') return kinds[stage.type];
  const contest = contests.find(({ id }) => id === stage.contestId);
  const marked = contest && eventRuleOf(season, contest) !== undefined;
  return marked || sportRules(season.sport, season.discipline).method === 'BEST_MARK' ? 'MARK' : 'TABLE';
}

/** The unit and direction of a contest's event; undefined where nothing is measured, or nobody said which event it is. */
export const eventRuleOf = ({ sport }: SeasonFact, { eventCode }: ContestFact) =>
  eventCode === null ? undefined : markRuleOf(sport, eventCode);
