/** Opportunities: the SQL of their reads. Writes: opportunity-writes.ts. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { type Page, type Sort, sortBy } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { searchText } from '../../../platform/lists/search.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  Academic,
  AgeRange,
  Award,
  ContractType,
  OpportunitySort,
  OpportunityStatus,
  OpportunityType,
  QueryOpportunitiesArgs,
  Requirement,
  Sex,
  Sport,
  TalentProfile,
  TrialSession,
} from '../resolvers.generated.ts';
import { opportunityConditions, isOpen } from './filter.ts';
import { opportunityTransitions } from './lifecycle.ts';

export interface OpportunityRow extends ResourceRow {
  /** As it was written; what is shown is lifecycle.ts statusAt. */
  readonly status: OpportunityStatus;
  readonly type: OpportunityType;
  readonly organizationId: string;
  /** Whether everybody may see the organization; kept by organization.ts from the publication on. */
  readonly organizationPublic: boolean;
  readonly title: string;
  readonly description: string;
  readonly sport: Sport;
  readonly disciplines: string[];
  readonly positions: string[];
  readonly sex: Sex | null;
  readonly ageRange: AgeRange | null;
  readonly nationalities: string[];
  readonly country: string | null;
  readonly venue: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly applicationOpensAt: string | null;
  readonly applicationDeadline: string;
  readonly totalOpenings: number;
  readonly remainingOpenings: number;
  readonly requirements: Requirement[];
  readonly languages: string[];
  readonly minorsAllowed: boolean;
  readonly award: Award | null;
  readonly academic: Academic | null;
  readonly sessions: TrialSession[];
  readonly attendingOrganizationIds: string[];
  readonly livestreamUrl: string | null;
  readonly profile: TalentProfile | null;
  readonly contractType: ContractType | null;
}

export type OpportunityPage = Page<OpportunityRow>;

// prettier-ignore
const opportunities = table<OpportunityRow>('opportunity', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', type: 'plain',
  organizationId: 'plain', organizationPublic: 'plain', title: 'plain', description: 'plain', sport: 'plain', disciplines: 'plain', positions: 'plain', sex: 'plain',
  ageRange: 'jsonb', nationalities: 'plain', country: 'plain', venue: 'plain', startDate: 'plain', endDate: 'plain',
  applicationOpensAt: 'plain', applicationDeadline: 'plain', totalOpenings: 'plain', remainingOpenings: 'plain', requirements: 'jsonb',
  languages: 'plain', minorsAllowed: 'plain', award: 'jsonb', academic: 'jsonb', sessions: 'jsonb', attendingOrganizationIds: 'plain',
  livestreamUrl: 'plain', profile: 'jsonb', contractType: 'plain',
});

/** By id everything that was ever published can be seen while its organization can; lists show what is open. */
const isPublic = (row: OpportunityRow): boolean => row.status !== 'DRAFT' && row.organizationPublic;

export const opportunityResource: Resource<OpportunityRow> = {
  type: 'opportunity',
  table: opportunities,
  created: 'opportunity.created',
  updated: 'opportunity.updated',
  deleted: 'opportunity.deleted',
  // prettier-ignore
  required: [
    'title', 'description', 'disciplines', 'positions', 'nationalities', 'applicationDeadline', 'totalOpenings', 'requirements', 'languages',
    'minorsAllowed', 'sessions', 'attendingOrganizationIds',
  ],
  isPublic,
  hasRegistryIds: false,
  lifecycle: { initial: 'DRAFT', transitions: opportunityTransitions },
  computed: (row) => ({ search: searchText([row.title]) }),
};

const sorts: Readonly<Record<OpportunitySort, Sort<OpportunityRow>>> = {
  CREATED_AT_DESC: sortBy(opportunities, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(opportunities, 'createdAt', 'timestamptz', 'asc'),
  DEADLINE_ASC: sortBy(opportunities, 'applicationDeadline', 'timestamptz', 'asc'),
  DEADLINE_DESC: sortBy(opportunities, 'applicationDeadline', 'timestamptz', 'desc'),
  UPDATED_AT_ASC: sortBy(opportunities, 'updatedAt', 'timestamptz', 'asc'),
};

const openIdsMax = 500;

/** Reads of opportunities over the area's database. */
export function createOpportunityReads({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<OpportunityRow[]> =>
    queryable.query<OpportunityRow>(
      sql`/* opportunities.byIds */ select ${opportunities.columns} from opportunity where id = any(${[...ids]}::uuid[])`,
    );

  const byId: BatchRead<string, OpportunityRow | null> = async (ids, { viewer }) => {
    const maySee = (row: OpportunityRow): boolean => isPublic(row) || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const rows = (await read(ids)).filter((row) => maySee(row) && (viewer.sport === null || row.sport === viewer.sport));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'opportunity', ids);

  /** What many organizations offer now, in one statement, a page each. */
  const pagesOfOrganizations: BatchRead<PageKey, OpportunityPage> = (keys, { viewer }) => {
    const where = viewer.sport ? [isOpen, sql`opportunity.sport = ${viewer.sport}`] : [isOpen];
    const list = {
      name: 'opportunities.ofOrganizations',
      columns: opportunities.columns,
      table: 'opportunity',
      owner: 'organization_id',
    };
    return readPages(database, cursors, { ...list, where, sort: sorts.DEADLINE_ASC }, keys);
  };

  /** Ids of what is open to everybody, after one of them. */
  async function openIds(after: string | null): Promise<string[]> {
    const rows = await database.query<{ id: string }>(sql`/* opportunities.openIds */
      select id from opportunity where ${isOpen} and id > coalesce(${after}, '00000000-0000-0000-0000-000000000000')::uuid order by id limit ${openIdsMax}`);
    return rows.map(({ id }) => id);
  }

  return {
    read,
    byId,
    openIds,
    externalIds,
    pagesOfOrganizations,
    list({ viewer }: Context, args: QueryOpportunitiesArgs): Promise<OpportunityPage> {
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const where = opportunityConditions(viewer, args.filter ?? {});
      const list = { name: 'opportunities.list', resource: opportunityResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type OpportunityReads = ReturnType<typeof createOpportunityReads>;
