/** Cohorts in texts for people. */
import { positionPlural } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Level } from '../generated/resolvers.ts';
import { lowerTitle } from './metric-values.ts';
import { percentileOrdinal } from './ordinal.ts';

/** A cohort without its sport and category. Null for any age, position or level. */
export interface TextCohort {
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly n: number;
}

export const levelText = (level: Level): string => `${level.toLowerCase()} level`;

/** Such as `91st percentile among 120 forwards aged 18-20 at national level`. */
export function percentileText(sport: Sport, percentile: number, { ageBand, position, level, n }: TextCohort): string {
  const players = position === null ? 'athletes' : lowerTitle(positionPlural(sport, position));
  const age = ageBand === null ? '' : ` aged ${ageBand === '28+' ? '28 or older' : ageBand}`;
  return `${percentileOrdinal(percentile)} among ${n} ${players}${age}${level === null ? '' : ` at ${levelText(level)}`}`;
}
