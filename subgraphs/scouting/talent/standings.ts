/** Metric values of an athlete with their places among comparable athletes. */
import { cohortMin } from '../../../platform/cohorts.ts';
import type { Level } from '../generated/resolvers.ts';

/** The cohort of a value. Null for any age, position or level. */
export interface StandingCohort {
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly n: number;
}

/** A metric value with its percentiles, which are whole numbers from 0 to 100. Rows of `prospect` store it as JSON. */
export interface Standing {
  readonly metric: string;
  /** Empty for sports without events. */
  readonly eventCode: string;
  /** The value as computed or provided. */
  readonly value: number;
  /** Number of full matches. */
  readonly matches: number;
  readonly matchesBefore: number | null;
  /** Among all athletes of the sport and category. */
  readonly overall: number | null;
  /** In the cohort. Null if fewer than 30 athletes have the metric. */
  readonly percentile: number | null;
  /** Percentile of the previous season's value in the same cohort. */
  readonly before: number | null;
  /** Percentile of the change since the previous season. */
  readonly growth: number | null;
  readonly source: string;
  readonly asOf: string | null;
  /** Null if fewer than 30 athletes have the metric. */
  readonly cohort: StandingCohort | null;
}

/** A value that is compared with a cohort. */
export interface ComparedStanding extends Standing {
  readonly percentile: number;
  readonly cohort: StandingCohort;
}

/** Whether a value is compared with a cohort. */
export const isComparedStanding = (standing: Standing): standing is ComparedStanding =>
  standing.percentile !== null && standing.cohort !== null;

/** The reason for a missing percentile. */
export const tooFewAthletes = `Fewer than ${cohortMin} athletes`;
