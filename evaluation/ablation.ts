/** Variants of the talent score: other weights of its components, or of metrics. They show what each part of the score adds. */
import type { ScoreCode } from '../subgraphs/scouting/generated/resolvers.ts';
import { scoreWeights, type TalentScore } from '../subgraphs/scouting/talent/talent-score.ts';

/** The value that orders athletes. */
type Rank = (score: TalentScore | undefined) => number;

/** In whole points, as the score. */
const weighted =
  (weights: Readonly<Record<ScoreCode, number>>): Rank =>
  (score) =>
    Math.round(100 * (score?.components.reduce((sum, { code, value }) => sum + weights[code] * value, 0) ?? 0));

const variants: readonly (readonly [name: string, change: Partial<Record<ScoreCode, number>>])[] = [
  ['growth 0.3, performance 0.45', { GROWTH: 0.3, PERFORMANCE: 0.45 }],
  ['growth 0.05, performance 0.7', { GROWTH: 0.05, PERFORMANCE: 0.7 }],
  ['without performance', { PERFORMANCE: 0 }],
  ['without growth', { GROWTH: 0 }],
  ['without level', { LEVEL: 0 }],
  ['without consistency', { CONSISTENCY: 0 }],
  ['without verification', { VERIFICATION: 0 }],
];

/** Ranks athletes by their scores, best first. */
export type RankAthletes<Athlete> = (scores: ReadonlyMap<string, TalentScore>, rank: Rank) => readonly Athlete[];

/**
 * The rankings of the score and of its variants.
 * @param equal the scores with every metric weighted equally
 */
export function ablationRankings<Athlete>(
  scores: ReadonlyMap<string, TalentScore>,
  equal: ReadonlyMap<string, TalentScore>,
  rankAthletes: RankAthletes<Athlete>,
): Map<string, readonly Athlete[]> {
  return new Map([
    ['ours', rankAthletes(scores, (score) => score?.talentScore ?? 0)],
    ...variants.map(([name, change]) => [name, rankAthletes(scores, weighted({ ...scoreWeights, ...change }))] as const),
    ['every metric equally', rankAthletes(equal, (score) => score?.talentScore ?? 0)],
  ]);
}
