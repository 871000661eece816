/** The `athlete` table, its row type, and the resource description that writes use. */
import {
  column,
  defineTable,
  erasable,
  erasedValues,
  jsonColumn,
  resourceColumns,
  type ErasableColumn,
  type RowOf,
} from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { namesOf, searchText } from '../../../platform/lists/search.ts';
import type { ExternalId } from '../../../platform/writes/external-id.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
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
} from '../generated/resolvers.ts';
import { followAthleteVisibility } from './publication.ts';
import { athleteTransitions } from './rules.ts';
import type { CurrentMembership } from './current-membership.ts';
import { hasPublicProfile, isPublic } from './visibility.ts';

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

interface ResidenceRow {
  readonly country: string;
  readonly region: string | null;
  readonly city: string | null;
}

/** A name in a language and script. */
interface NameRow {
  readonly language: string;
  readonly value: string;
}

interface MediumRow {
  readonly kind: MediumKind;
  readonly url: string;
  readonly title: string | null;
}

interface VerificationRow {
  readonly status: VerificationStatus;
  readonly method: string | null;
  readonly at: string | null;
}

/** Columns that an erasure keeps: the identity of the row and its state. */
const identityColumns = {
  ...resourceColumns,
  status: column<AthleteStatus>(),
  /** Id of the profile that this duplicate was merged into. */
  mergedInto: column<string | null>(),
};

/** Personal data. Each column names the value that replaces it when the athlete is erased. */
const personalColumns = {
  displayName: erasable(column<string>(), 'Erased athlete'),
  givenName: erasable(column<string | null>(), null),
  familyName: erasable(column<string | null>(), null),
  knownAs: erasable(column<string | null>(), null),
  names: erasable(jsonColumn<NameRow[]>(), []),
  dateOfBirth: erasable(column<string | null>(), null),
  birthYear: erasable(column<number | null>(), null),
  /** First day on which the athlete is certainly an adult. */
  adultFrom: erasable(column<string | null>(), null),
  adultConfirmed: erasable(column<boolean | null>(), null),
  /** Scopes of the effective consents. */
  consentScopes: erasable(column<ConsentScope[]>(), []),
  /** Treated as a minor until the owner activates the profile of the adult. */
  activatedAsMinor: erasable(column<boolean>(), false),
  sex: erasable(column<Sex>(), 'UNSPECIFIED'),
  nationalities: erasable(column<string[]>(), []),
  sportingNationality: erasable(column<string | null>(), null),
  residence: erasable(jsonColumn<ResidenceRow | null>(), null),
  sports: erasable(jsonColumn<AthleteSportRow[]>(), []),
  sportCodes: erasable(column<Sport[]>(), []),
  heightCm: erasable(column<number | null>(), null),
  weightKg: erasable(column<number | null>(), null),
  dominantFoot: erasable(column<Side | null>(), null),
  dominantHand: erasable(column<Side | null>(), null),
  weightClass: erasable(column<string | null>(), null),
  education: erasable(jsonColumn<EducationRow | null>(), null),
  availability: erasable(jsonColumn<AvailabilityRow | null>(), null),
  languages: erasable(column<string[]>(), []),
  media: erasable(jsonColumn<MediumRow[]>(), []),
  /** ID of the photo. */
  imageId: erasable(column<string | null>(), null),
  visibility: erasable(column<Visibility>(), 'PRIVATE'),
  verification: erasable(jsonColumn<VerificationRow>(), { status: 'UNVERIFIED', method: null, at: null }),
} satisfies Readonly<Record<string, ErasableColumn>>;

const athleteColumns = { ...identityColumns, ...personalColumns };

export type AthleteRow = RowOf<typeof athleteColumns>;

export const athletes = defineTable('athlete', athleteColumns);

/** The values that replace all personal data of an athlete. */
export const erasedProfile = erasedValues(personalColumns);

/** A row as a viewer may read it. */
export type AthleteView = AthleteRow & {
  /** The consent scopes that the viewer reads a minor by. Undefined for a profile without restriction. */
  readonly visibleScopes?: readonly ConsentScope[];
  /** Set where the restricted row no longer has the birth date. */
  readonly ageGroup?: AgeGroup;
  /** These two are set where the statement of a list selects them. */
  readonly externalIds?: ExternalId[];
  readonly currentMembership?: CurrentMembership | null;
};

export type AthletePage = Page<AthleteView>;

export const athleteResource: Resource<AthleteRow> = {
  type: 'athlete',
  table: athletes,
  created: 'athlete.created',
  updated: 'athlete.updated',
  deleted: 'athlete.deleted',
  required: ['displayName', 'names', 'sex', 'nationalities', 'sports', 'visibility', 'languages', 'media'],
  isPublic: hasPublicProfile,
  hasRegistryIds: isPublic,
  afterChange: followAthleteVisibility,
  lifecycle: { initial: 'DRAFT', transitions: athleteTransitions },
  computed: (row) => ({
    search: searchText([row.displayName, row.givenName, row.familyName, row.knownAs, ...namesOf(row.names)]),
  }),
};
