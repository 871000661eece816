/** The profile of an athlete: a point whose distance to others says how similar they play (docs/matching.md). */
import type { Sport } from '../../../schema/sports.ts';
import type { TalentScore } from '../talent/talent-score.ts';
import { skillPercentiles } from './skill-percentiles.ts';

export interface Profile {
  /** Athletes of the same group are comparable: same sport, category, and position group or event. */
  readonly group: string;
  /** One coordinate for each skill, scaled by its weight, so that the distance is the weighted difference in percentile points. */
  readonly coordinates: readonly number[];
}

/** The coordinate of an unknown skill. */
const middle = 50;

interface ProfiledAthlete {
  readonly sport: Sport;
  readonly sex: string;
  /** Null if the position is unknown. */
  readonly positionGroup: string | null;
}

/**
 * The profile of a scored athlete. Null without compared values. Percentiles are those among all athletes of the sport and category, because
 * cohorts differ, and are shrunk toward the middle by the confidence, as scores are.
 */
export function profileOf(
  { sport, sex, positionGroup }: ProfiledAthlete,
  { compared, confidence }: Pick<TalentScore, 'compared' | 'confidence'>,
): Profile | null {
  const [first] = compared;
  if (first === undefined) return null;
  const coordinates = skillPercentiles(sport, positionGroup, compared).map(({ weight, overallPercentile }) => {
    const percentile = middle + confidence * ((overallPercentile ?? middle) - middle);
    return Math.round(100 * Math.sqrt(weight) * percentile) / 100;
  });
  return { group: [sport, sex, first.eventCode || (positionGroup ?? '')].join(' '), coordinates };
}
