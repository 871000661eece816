/** Organizations: the SQL of their reads. Writes: organization-writes.ts. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList } from '../../../platform/lists/list.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { type Page, type Sort, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { isRankable, likeness, matchesWords, searchText } from '../../../platform/lists/search.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  Level,
  OrganizationSort,
  OrganizationStatus,
  OrganizationType,
  QueryOrganizationsArgs,
  Sport,
  VerificationStatus,
} from '../resolvers.generated.ts';
import { isPublic, isOrganizationVisible, publishedOrganization } from './visibility.ts';
import { organizationTransitions } from './rules.ts';

export interface OrganizationRow extends ResourceRow {
  readonly status: OrganizationStatus;
  readonly type: OrganizationType;
  readonly name: string;
  readonly legalName: string | null;
  readonly shortName: string | null;
  readonly aliases: string[];
  readonly country: string;
  readonly region: string | null;
  readonly city: string | null;
  readonly website: string | null;
  readonly emailDomain: string | null;
  readonly foundedYear: number | null;
  readonly logoUrl: string | null;
  readonly sports: Sport[];
  readonly level: Level | null;
  readonly facilities: { name: string; kind: string | null; capacity: number | null; surface: string | null }[];
  readonly contact: { name: string | null; email: string | null; phone: string | null } | null;
  readonly parentOrganizationId: string | null;
  readonly safeguarding: { policyUrl: string | null; officerName: string | null } | null;
  readonly athleticDivision: string | null;
  readonly programmes: string[];
  readonly licenceNumber: string | null;
  readonly licenceBody: string | null;
  readonly licenceExpiresAt: string | null;
  readonly regions: string[];
  readonly verification: { status: VerificationStatus; method: string | null; at: string | null };
}

export type OrganizationPage = Page<OrganizationRow>;

const organizations = table<OrganizationRow>('organization', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  status: 'plain',
  type: 'plain',
  name: 'plain',
  legalName: 'plain',
  shortName: 'plain',
  aliases: 'plain',
  country: 'plain',
  region: 'plain',
  city: 'plain',
  website: 'plain',
  emailDomain: 'plain',
  foundedYear: 'plain',
  logoUrl: 'plain',
  sports: 'plain',
  level: 'plain',
  facilities: 'jsonb',
  contact: 'jsonb',
  parentOrganizationId: 'plain',
  safeguarding: 'jsonb',
  athleticDivision: 'plain',
  programmes: 'plain',
  licenceNumber: 'plain',
  licenceBody: 'plain',
  licenceExpiresAt: 'plain',
  regions: 'plain',
  verification: 'jsonb',
});

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

const sorts: Readonly<Record<Exclude<OrganizationSort, 'RELEVANCE'>, Sort<OrganizationRow>>> = {
  CREATED_AT_DESC: sortBy(organizations, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(organizations, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(organizations, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(organizations, 'name', 'text', 'desc'),
  UPDATED_AT_ASC: sortBy(organizations, 'updatedAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: sortBy(organizations, 'updatedAt', 'timestamptz', 'desc'),
};

interface Listed extends OrganizationRow {
  readonly relevance?: number;
}

/** The order of a list, and the columns it needs. */
function order({ filter, sort }: QueryOrganizationsArgs): { readonly sort: Sort<Listed>; readonly columns: Sql } {
  const q = filter?.q ?? '';
  const wanted = sort ?? 'RELEVANCE';
  if (wanted !== 'RELEVANCE') return { sort: sorts[wanted], columns: organizations.columns };
  if (!isRankable(q)) return { sort: sorts.CREATED_AT_DESC, columns: organizations.columns };
  const column = likeness(sql`organization.folded_name`, q);
  return {
    sort: { column, type: 'real', direction: 'desc', value: (row) => row.relevance },
    columns: sql`${organizations.columns}, ${column} as relevance`,
  };
}

/** Lists hold public rows; the viewer's own, in any state, with `mine`. */
function visible(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`organization.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : publishedOrganization;
}

function conditions(viewer: Viewer, filter: NonNullable<QueryOrganizationsArgs['filter']>): Sql[] {
  const where = [visible(viewer, filter.mine)];
  if (filter.q) where.push(matchesWords(sql`organization.search`, filter.q));
  if (filter.type) where.push(sql`organization.type = any(${filter.type})`);
  if (filter.country) where.push(sql`organization.country = any(${filter.country})`);
  if (filter.sport) where.push(sql`organization.sports && ${filter.sport}`);
  if (viewer.sport) where.push(sql`organization.sports @> ${[viewer.sport]}`);
  if (filter.level) where.push(sql`organization.level = any(${filter.level})`);
  if (typeof filter.verified === 'boolean') where.push(sql`organization.verified = ${filter.verified}`);
  if (filter.verification) where.push(oneOf(sql`organization.verification_status`, filter.verification));
  if (filter.status) where.push(oneOf(sql`organization.status`, filter.status));
  return where;
}

/** Reads of organizations over the area's database. */
export function createOrganizationReads({ database, cursors }: AreaServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<OrganizationRow[]> =>
    queryable.query<OrganizationRow>(
      sql`/* organizations.byIds */ select ${organizations.columns} from organization where id = any(${[...ids]}::uuid[])`,
    );

  /** By id, in the order asked for; null for what the viewer may not see. */
  const byId: BatchRead<string, OrganizationRow | null> = async (ids, { viewer }) => {
    const rows = await read(ids);
    return inOrder(
      ids,
      rows.filter((row) => isOrganizationVisible(viewer, row)),
      (row) => row.id,
    );
  };

  /** By id, whatever its state: for the answers to moderators, who see what they decide on and nothing else that is hidden. */
  const moderated: BatchRead<string, OrganizationRow | null> = async (ids) => inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'organization', ids);

  return {
    byId,
    moderated,
    externalIds,
    read,
    list({ viewer }: Context, args: QueryOrganizationsArgs): Promise<OrganizationPage> {
      const where = conditions(viewer, args.filter ?? {});
      const list = { name: 'organizations.list', resource: organizationResource, where, ...order(args), order: args.sort };
      return readList<Listed>({ database, cursors }, list, viewer, args);
    },
  };
}

export type OrganizationReads = ReturnType<typeof createOrganizationReads>;
