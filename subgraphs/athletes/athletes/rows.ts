/** Athletes as rows: the table, and what writes of them share. */
import { type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { searchText } from '../../../platform/lists/search.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type {
  AgeGroup,
  AthleteStatus,
  ConsentScope,
  Level,
  MediumKind,
  OpportunityType,
  Relocation,
  Sex,
  Side,
  Sport,
  VerificationStatus,
  Visibility,
} from '../resolvers.generated.ts';
import { isPublic, hasPublicProfile } from './visibility.ts';
import { athleteTransitions } from './rules.ts';
import { followAthleteVisibility } from '../statistics/publication.ts';

export interface EducationRow {
  readonly institutionId: string | null;
  readonly graduationYear: number | null;
  readonly gpa: number | null;
  readonly gpaScale: number | null;
}

export interface AvailabilityRow {
  readonly openToOpportunities: boolean;
  readonly from: string | null;
  readonly types: OpportunityType[] | null;
  readonly relocation: Relocation | null;
}

export interface AthleteSportRow {
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly positions: string[];
  readonly primary: boolean;
  readonly level: Level | null;
  readonly yearsExperience: number | null;
}

export interface AthleteRow extends ResourceRow {
  readonly status: AthleteStatus;
  readonly displayName: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly knownAs: string | null;
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
  readonly adultFrom: string | null;
  readonly adultConfirmed: boolean | null;
  /** The consents in force. */
  readonly consentScopes: ConsentScope[];
  /** Shown as a minor, until the owner activates the adult. */
  readonly activatedAsMinor: boolean;
  /** Whose second profile it is. */
  readonly mergedInto: string | null;
  readonly sex: Sex;
  readonly nationalities: string[];
  readonly sportingNationality: string | null;
  readonly residence: { country: string; region: string | null; city: string | null } | null;
  readonly sports: AthleteSportRow[];
  readonly sportCodes: Sport[];
  readonly heightCm: number | null;
  readonly weightKg: number | null;
  readonly dominantFoot: Side | null;
  readonly dominantHand: Side | null;
  readonly weightClass: string | null;
  readonly education: EducationRow | null;
  readonly availability: AvailabilityRow | null;
  readonly languages: string[];
  readonly media: { kind: MediumKind; url: string; title: string | null }[];
  readonly visibility: Visibility;
  readonly verification: { status: VerificationStatus; method: string | null; at: string | null };
}

/** A row as a viewer sees it. */
export interface AthleteView extends AthleteRow {
  /** The consents by which a minor is shown; undefined where all is. */
  readonly visibleScopes?: readonly ConsentScope[];
  /** Where it cannot be told from the rest of the row any more. */
  readonly ageGroup?: AgeGroup;
}

export type AthletePage = Page<AthleteView>;

export const athletes = table<AthleteRow>('athlete', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  status: 'plain',
  displayName: 'plain',
  givenName: 'plain',
  familyName: 'plain',
  knownAs: 'plain',
  dateOfBirth: 'plain',
  birthYear: 'plain',
  adultFrom: 'plain',
  adultConfirmed: 'plain',
  consentScopes: 'plain',
  activatedAsMinor: 'plain',
  mergedInto: 'plain',
  sex: 'plain',
  nationalities: 'plain',
  sportingNationality: 'plain',
  residence: 'jsonb',
  sports: 'jsonb',
  sportCodes: 'plain',
  heightCm: 'plain',
  weightKg: 'plain',
  dominantFoot: 'plain',
  dominantHand: 'plain',
  weightClass: 'plain',
  education: 'jsonb',
  availability: 'jsonb',
  languages: 'plain',
  media: 'jsonb',
  visibility: 'plain',
  verification: 'jsonb',
});

export const athleteResource: Resource<AthleteRow> = {
  type: 'athlete',
  table: athletes,
  created: 'athlete.created',
  updated: 'athlete.updated',
  deleted: 'athlete.deleted',
  required: ['displayName', 'sex', 'nationalities', 'sports', 'visibility', 'languages', 'media'],
  isPublic: hasPublicProfile,
  hasRegistryIds: isPublic,
  afterChange: followAthleteVisibility,
  lifecycle: { initial: 'DRAFT', transitions: athleteTransitions },
  computed: (row) => ({ search: searchText([row.displayName, row.givenName, row.familyName, row.knownAs]) }),
};
