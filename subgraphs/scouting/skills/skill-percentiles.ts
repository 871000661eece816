/** The skills of an athlete: mean percentiles of the metric values that measure them. */
import type { Sport } from '../../../schema/sports.ts';
import type { Standing } from '../talent/standings.ts';
import { skillsOf } from './skill-weights.ts';

/** A skill of an athlete, also an unknown one. */
export interface SkillPercentile {
  readonly code: string;
  readonly title: string;
  /** Share of all skills of the position, from 0 to 1. */
  readonly weight: number;
  /** In the cohort, as a whole number. Null if no value is compared. */
  readonly percentile: number | null;
  /** Among all athletes of the sport and category. */
  readonly overallPercentile: number | null;
}

const wholeMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.round(values.reduce((sum, each) => sum + each, 0) / values.length);

/** The skills that count for a position group, in display order, so that athletes of the same group have the same skills. */
export function skillPercentiles(
  sport: Sport,
  positionGroup: string | null,
  standings: readonly Pick<Standing, 'metric' | 'percentile' | 'overall'>[],
): SkillPercentile[] {
  const weighted = skillsOf(sport, positionGroup === null ? [] : [positionGroup]);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  return weighted.map(({ code, title, metrics, weight }) => {
    const own = standings.filter(({ metric }) => metrics.includes(metric));
    return {
      code,
      title,
      weight: Math.round((10_000 * weight) / total) / 10_000,
      percentile: wholeMean(own.flatMap(({ percentile }) => percentile ?? [])),
      overallPercentile: wholeMean(own.flatMap(({ overall }) => overall ?? [])),
    };
  });
}
