/** What a match is computed from: an athlete and an opportunity as the reader may see them. What he may not see is missing. */
import type { AgeGroup, Level, OpportunityType, Sex, Sport } from '../resolvers.generated.ts';

type Side = 'LEFT' | 'RIGHT' | 'BOTH';
export type Operator = 'GTE' | 'LTE' | 'EQ';

export interface SportFacts {
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly positions: readonly string[];
  readonly level: Level | null;
  readonly yearsExperience: number | null;
}

/** A row of the athlete's statistics. */
export interface StatisticsFacts {
  readonly scope: string;
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly source: string;
  readonly asOf: string | null;
  readonly metrics: readonly { readonly key: string; readonly value: number; readonly percentile: number | null }[];
}

export interface AthleteFacts {
  readonly id: string;
  /** SENIOR for adults alone. */
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
  /** Day on which the age counts; null: today. */
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
  /** Null as well where the reader may not see it. */
  readonly organization: { readonly level: Level | null } | null;
}

/** The moment a match is computed for. */
export interface Moment {
  readonly now: Date;
  /** As the platform counts ages: where the day begins last. */
  readonly today: string;
}
