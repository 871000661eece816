/** The `organization` table, its row type, and the resource description that writes use. */
import { column, defineTable, jsonColumn, resourceColumns, type RowOf } from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { searchText } from '../../../platform/lists/search.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { Level, OrganizationStatus, OrganizationType, Sport, VerificationStatus } from '../generated/resolvers.ts';
import { organizationTransitions } from './rules.ts';
import { isPublic } from './visibility.ts';

interface CoordinatesRow {
  readonly latitude: number;
  readonly longitude: number;
}

interface FacilityRow {
  readonly name: string;
  readonly kind: string | null;
  readonly capacity: number | null;
  readonly surface: string | null;
}

interface ContactRow {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

interface SafeguardingRow {
  readonly policyUrl: string | null;
  readonly officerName: string | null;
}

interface VerificationRow {
  readonly status: VerificationStatus;
  readonly method: string | null;
  readonly at: string | null;
}

const organizationColumns = {
  ...resourceColumns,
  status: column<OrganizationStatus>(),
  type: column<OrganizationType>(),
  name: column<string>(),
  legalName: column<string | null>(),
  shortName: column<string | null>(),
  aliases: column<string[]>(),
  country: column<string>(),
  region: column<string | null>(),
  city: column<string | null>(),
  coordinates: jsonColumn<CoordinatesRow | null>(),
  website: column<string | null>(),
  emailDomain: column<string | null>(),
  foundedYear: column<number | null>(),
  logoUrl: column<string | null>(),
  /** ID of the uploaded image. */
  imageId: column<string | null>(),
  sports: column<Sport[]>(),
  level: column<Level | null>(),
  facilities: jsonColumn<FacilityRow[]>(),
  contact: jsonColumn<ContactRow | null>(),
  parentOrganizationId: column<string | null>(),
  safeguarding: jsonColumn<SafeguardingRow | null>(),
  athleticDivision: column<string | null>(),
  programmes: column<string[]>(),
  licenceNumber: column<string | null>(),
  licenceBody: column<string | null>(),
  licenceExpiresAt: column<string | null>(),
  regions: column<string[]>(),
  verification: jsonColumn<VerificationRow>(),
};

export type OrganizationRow = RowOf<typeof organizationColumns>;

export type OrganizationPage = Page<OrganizationRow>;

export const organizations = defineTable('organization', organizationColumns);

export const organizationResource: Resource<OrganizationRow> = {
  type: 'organization',
  table: organizations,
  created: 'organization.created',
  updated: 'organization.updated',
  deleted: 'organization.deleted',
  required: ['name', 'country', 'sports', 'aliases', 'facilities', 'programmes', 'regions'],
  isPublic,
  lifecycle: { initial: 'DRAFT', transitions: organizationTransitions },
  computed: (row) => ({ search: searchText([row.name, row.shortName, row.legalName, ...(row.aliases ?? [])]) }),
};
