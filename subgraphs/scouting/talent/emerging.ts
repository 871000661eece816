/** Emerging talents, and the order of the default list of prospects, which they lead (docs/matching.md). */
import { sportNames, type Sport } from '../../../schema/sports.ts';
import type { ScoreComponent, TalentScore } from './talent-score.ts';

const youngest = 18;
const oldest = 23;

const isYoung = (age: number | null): boolean => age !== null && age >= youngest && age <= oldest;

/** Five full matches, as a scored season has, or two races. Below, neither a percentile nor its change says much. */
const confidenceMin = 0.33;
/** Half of the skills of the position: one skill does not make a talent. */
const coverageMin = 0.5;
/** Numbers of an event are marks, of which one is enough. */
const numbersMin = 2;
const percentileMin = 80;
/** Values after shrinkage, so that a few matches need a higher percentile than a whole season. */
const valueMin = 0.6;

type EvaluatedScore = Pick<TalentScore, 'confidence' | 'coverage' | 'trend' | 'growthPercentile' | 'ageAdjustedPercentile'> & {
  readonly components: readonly Pick<ScoreComponent, 'code' | 'value'>[];
  readonly compared: readonly { readonly eventCode: string }[];
};

/** Whether enough is known of an athlete: matches, skills, and more than one number. */
function hasEvidence({ confidence, coverage, compared }: EvaluatedScore): boolean {
  const isMark = compared.some(({ eventCode }) => eventCode !== '');
  return confidence >= confidenceMin && coverage >= coverageMin && (isMark || compared.length >= numbersMin);
}

/**
 * Whether an athlete of an age is an emerging talent: young, with enough evidence, not falling, and among the best by growth or by
 * performance. Growth alone would exclude athletes in their first season, and those who were among the best before.
 */
export function isEmerging(score: EvaluatedScore, age: number | null): boolean {
  const { components, growthPercentile, ageAdjustedPercentile, trend } = score;
  const valueOf = (code: 'GROWTH' | 'PERFORMANCE'): number => components.find((each) => each.code === code)?.value ?? 0;
  const isBest = (percentile: number | null, code: 'GROWTH' | 'PERFORMANCE'): boolean =>
    (percentile ?? 0) >= percentileMin && valueOf(code) >= valueMin;
  return (
    isYoung(age) &&
    hasEvidence(score) &&
    trend !== 'FALLING' &&
    (isBest(growthPercentile, 'GROWTH') || isBest(ageAdjustedPercentile, 'PERFORMANCE'))
  );
}

/** Places of a group and of a sport in the order. A lower bound has at most 1000 tenths. */
const placesOfGroup = 2_000;
const placesOfSport = 10_000;

/** The place of a sport, the first one highest. It leads the order, because scores of different sports are not comparable. */
export const sportPlace = (sport: Sport): number => (sportNames.length - sportNames.indexOf(sport)) * placesOfSport;

/**
 * The place of a prospect in the default list, highest first: by sport; then emerging talents, other young athletes, athletes who are older
 * or of unknown age, and athletes without compared numbers; then by the lower bound of the score.
 */
export function listPlaceOf(
  { sport, emerging }: { readonly sport: Sport; readonly emerging: boolean },
  { confidence, lowerBound }: Pick<TalentScore, 'confidence' | 'lowerBound'>,
  age: number | null,
): number {
  const group = emerging ? 3 : confidence === 0 ? 0 : isYoung(age) ? 2 : 1;
  return sportPlace(sport) + group * placesOfGroup + Math.round(10 * lowerBound);
}
