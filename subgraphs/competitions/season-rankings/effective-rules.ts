/** The ranking rules in effect for a season or stage, and the kind of ranking of a stage. */
import type { RankingRules, TableRules } from '../../../schema/ranking-rules.ts';
import { rankingRulesOf } from '../../../schema/sports.ts';
import { markRuleOf } from '../rankings/mark.ts';
import type { ContestFact, RankingFacts, SeasonFact, StageFact } from './facts.ts';

/** The rules of a season. */
export const seasonRules = ({ rankingRules, sport, discipline }: SeasonFact): RankingRules =>
  rankingRules ?? rankingRulesOf(sport, discipline);

/** A round robin in a sport without tables: wins, then direct results, then the ratio of sets and of games. */
const roundRobin: TableRules = {
  method: 'TABLE',
  points: { win: 1, draw: 0, loss: 0 },
  bonus: [],
  order: ['WINS', 'FEWEST_LOSSES', 'HEAD_TO_HEAD_POINTS', 'SET_RATIO', 'POINT_RATIO', 'DRAW_OF_LOTS'],
  headToHeadScope: 'ALL_TIED',
  headToHeadWhen: 'ALWAYS',
  zones: [],
};

/** The rules of a stage's table: its own, the season's or the sport's; those of a round robin where none of them is for tables. */
export function tableRulesOf(season: SeasonFact, stage: StageFact): TableRules {
  const candidates = [stage.rankingRules, season.rankingRules, rankingRulesOf(season.sport, season.discipline)];
  return candidates.find((rules) => rules?.method === 'TABLE') ?? roundRobin;
}

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

/** The kind of ranking of a stage. A qualifying stage has a table, unless marks decide. */
export function kindOf({ season, contests }: Pick<RankingFacts, 'season' | 'contests'>, stage: StageFact): StageKind {
  if (stage.type !== 'QUALIFYING') return kinds[stage.type];
  const contest = contests.find(({ id }) => id === stage.contestId);
  const hasMarks = contest && eventRuleOf(season, contest) !== undefined;
  return hasMarks || rankingRulesOf(season.sport, season.discipline).method === 'BEST_MARK' ? 'MARK' : 'TABLE';
}

/** The unit and direction of a contest's event; undefined without an event, and for an event without marks. */
export const eventRuleOf = ({ sport }: SeasonFact, { eventCode }: ContestFact) =>
  eventCode === null ? undefined : markRuleOf(sport, eventCode);
