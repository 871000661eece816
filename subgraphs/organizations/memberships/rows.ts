/** The `membership` table, its row type, and the resource description that writes use. */
import { column, computedColumn, defineTable, resourceColumns, type RowOf } from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import { publishedMembership } from '../organizations/visibility.ts';
import { followMembership } from '../transfers/dates.ts';
import type { MembershipRole, MembershipStatus, MembershipType, PersonType, Sport } from '../generated/resolvers.ts';

const membershipColumns = {
  ...resourceColumns,
  /** The account of the athlete. */
  personAccountId: column<string | null>(),
  status: column<MembershipStatus>(),
  personType: column<PersonType>(),
  athleteId: column<string | null>(),
  personName: column<string | null>(),
  organizationId: column<string | null>(),
  teamId: column<string | null>(),
  sport: column<Sport | null>(),
  role: column<MembershipRole>(),
  type: column<MembershipType>(),
  startDate: column<string | null>(),
  endDate: column<string | null>(),
  contractUntil: column<string | null>(),
  shirtNumber: column<number | null>(),
  positions: column<string[]>(),
  /** Whether the row is public. */
  published: computedColumn<boolean>(publishedMembership),
};

export type MembershipRow = RowOf<typeof membershipColumns>;

export type MembershipPage = Page<MembershipRow>;

export const memberships = defineTable('membership', membershipColumns);

/** The functions through which memberships leave the area. */
export const administratorReads = createAdministratorReads<MembershipRow>('MEMBERSHIPS', ({ athleteId }) => [athleteId]);

export const membershipResource: Resource<MembershipRow> = {
  type: 'membership',
  table: memberships,
  created: 'membership.created',
  updated: 'membership.updated',
  required: ['role', 'positions'],
  isPublic: (row) => row.published,
  hasRegistryIds: false,
  afterChange: followMembership,
};
