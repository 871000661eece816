/** The input of a match: an athlete and an opportunity as the viewer can read them. Data that the viewer cannot read is missing. */
import type { AgeGroup, Level, OpportunityType, Sex, Sport } from '../generated/resolvers.ts';

type Side = 'LEFT' | 'RIGHT' | 'BOTH';
export type Operator = 'GTE' | 'LTE' | 'EQ';

export interface SportFacts {
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly positions: readonly string[];
  readonly level: Level | null;
  readonly yearsExperience: number | null;
}

/** The cohort of a percentile. Null for any age, position or level. */
export interface CohortFacts {
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly n: number;
}

export interface MetricFacts {
  readonly key: string;
  readonly value: number;
  /** Null without a cohort. */
  readonly percentile: number | null;
  readonly cohort: CohortFacts | null;
}

/** Statistics of an athlete, for example of one season. */
export interface StatisticsFacts {
  readonly scope: string;
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly source: string;
  readonly asOf: string | null;
  /** Number of full matches. */
  readonly matches: number;
  readonly metrics: readonly MetricFacts[];
}

export interface AthleteFacts {
  readonly id: string;
  /** SENIOR for adults only. */
  readonly ageGroup: AgeGroup;
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
  readonly sex: Sex;
  readonly nationalities: readonly string[];
  readonly residence: { readonly country: string } | null;
  readonly sports: readonly SportFacts[];
  readonly heightCm: number | null;
  readonly weightKg: number | null;
  readonly dominantFoot: Side | null;
  readonly education: {
    readonly graduationYear: number | null;
    readonly gpa: number | null;
    readonly gpaScale: number | null;
  } | null;
  readonly availability: {
    readonly openToOpportunities: boolean;
    readonly from: string | null;
    readonly types: readonly OpportunityType[];
    readonly relocation: 'NONE' | 'NATIONAL' | 'INTERNATIONAL';
  } | null;
  readonly languages: readonly string[];
  readonly statistics: readonly StatisticsFacts[];
}

export interface AgeRange {
  readonly min: number | null;
  readonly max: number | null;
  /** Day as of which the age counts. Null for today. */
  readonly referenceDate: string | null;
}

export interface Requirement {
  readonly metricKey: string | null;
  readonly attribute: 'YEARS_EXPERIENCE' | 'GRADUATION_YEAR' | null;
  readonly operator: Operator;
  readonly value: number;
  readonly mandatory: boolean;
  readonly weight: number | null;
}

export interface OpportunityFacts {
  readonly id: string;
  readonly type: OpportunityType;
  readonly sport: Sport;
  readonly disciplines: readonly string[];
  readonly positions: readonly string[];
  readonly sex: Sex | null;
  readonly ageRange: AgeRange | null;
  readonly nationalities: readonly string[];
  readonly country: string | null;
  readonly startDate: string | null;
  readonly applicationDeadline: string;
  readonly requirements: readonly Requirement[];
  readonly languages: readonly string[];
  readonly minorsAllowed: boolean;
  readonly academic: { readonly minGpa: number | null; readonly gpaScale: number | null } | null;
  readonly profile: {
    readonly positions: readonly string[];
    readonly ageRange: AgeRange | null;
    readonly heightMinCm: number | null;
    readonly dominantFoot: Side | null;
    readonly metrics: readonly { readonly key: string; readonly value: number }[];
  } | null;
  /** Also null if the viewer cannot read it. */
  readonly organization: { readonly level: Level | null } | null;
}

/** The point in time of a match. */
export interface Moment {
  readonly now: Date;
  /** Today's date for ages, in the time zone where the day starts last. */
  readonly today: string;
}
