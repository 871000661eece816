/** Organizations: the SQL of their reads and writes. */
import { Problem, refuse } from '../../../schema/errors.ts';
import { owns, seesEverything, type Viewer } from '../../../schema/viewer.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database.ts';
import { externalIdOrder, externalIdsOf, findByExternalId, firstExternalId, hasExternalId, type ExternalId } from '../../../platform/external-id.ts';
import { readPage, type Page, type Sort } from '../../../platform/page.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwn,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
  type Resource,
  type ResourceRow,
} from '../../../platform/resource.ts';
import { matchesWords, searchText } from '../../../platform/search.ts';
import { inOrder, table } from '../../../platform/table.ts';
import { nextState } from '../../../platform/transition.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, BatchRead, Context } from '../../subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type {
  CreateOrganizationInput,
  Level,
  OrganizationSort,
  OrganizationStatus,
  OrganizationType,
  QueryOrganizationsArgs,
  Sport,
  UpdateOrganizationInput,
  VerificationStatus,
} from '../resolvers.generated.ts';
import { organizationFaults, organizationTransitions, type OrganizationVerb } from '../rules.ts';
import type { createTeamStore } from './team.ts';

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

/** One step of the state machine or of verification, and what is said with it. */
interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

const organizations = table<OrganizationRow>('organization', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', type: 'plain', name: 'plain',
  legalName: 'plain', shortName: 'plain', aliases: 'plain', country: 'plain', region: 'plain', city: 'plain', website: 'plain',
  emailDomain: 'plain', foundedYear: 'plain', logoUrl: 'plain', sports: 'plain', level: 'plain', facilities: 'jsonb', contact: 'jsonb',
  parentOrganizationId: 'plain', safeguarding: 'jsonb', athleticDivision: 'plain', programmes: 'plain', licenceNumber: 'plain',
  licenceBody: 'plain', licenceExpiresAt: 'plain', regions: 'plain', verification: 'jsonb',
});

const publicStates: readonly OrganizationStatus[] = ['ACTIVE', 'CLOSED'];
const isPublic = (row: OrganizationRow): boolean => publicStates.includes(row.status);

export const organizationResource: Resource<OrganizationRow> = {
  type: 'organization',
  table: organizations,
  created: 'organization.created',
  updated: 'organization.updated',
  deleted: 'organization.deleted',
  required: ['name', 'country', 'sports', 'aliases', 'facilities', 'programmes', 'regions'],
  isPublic,
  computed: (row) => ({ search: searchText([row.name, row.shortName, row.legalName, ...(row.aliases ?? [])]) }),
};

const createdAt = { column: sql`organization.created_at`, type: 'timestamptz', value: (row: OrganizationRow) => row.createdAt } as const;
const updatedAt = { column: sql`organization.updated_at`, type: 'timestamptz', value: (row: OrganizationRow) => row.updatedAt } as const;
const name = { column: sql`organization.name collate "und-x-icu"`, type: 'text', value: (row: OrganizationRow) => row.name } as const;

const sorts: Readonly<Record<OrganizationSort, Sort<OrganizationRow>>> = {
  CREATED_AT_DESC: { ...createdAt, direction: 'desc' },
  CREATED_AT_ASC: { ...createdAt, direction: 'asc' },
  NAME_ASC: { ...name, direction: 'asc' },
  NAME_DESC: { ...name, direction: 'desc' },
  UPDATED_AT_ASC: { ...updatedAt, direction: 'asc' },
  UPDATED_AT_DESC: { ...updatedAt, direction: 'desc' },
};

/** Lists hold public rows; the viewer's own, in any state, with `mine`. */
function visible(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`organization.account_id = ${requireAccount(viewer)}`;
  return seesEverything(viewer) ? sql`true` : sql`organization.status in ('ACTIVE', 'CLOSED')`;
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
  if (filter.externalId) where.push(hasExternalId('organization', sql`organization.id`, filter.externalId));
  if (filter.updatedSince) where.push(sql`organization.updated_at >= ${filter.updatedSince}::timestamptz`);
  return where;
}

/** Row values of an input: what the table knows, with defaults where the table has none. */
function valuesOf(input: CreateOrganizationInput | UpdateOrganizationInput): Partial<OrganizationRow> {
  const { externalIds: _, ...values } = input;
  return values as Partial<OrganizationRow>;
}

/** Reads and writes of organizations over the area's database. */
export function createOrganizationStore({ database, cursors, writer }: AreaServices, teams: ReturnType<typeof createTeamStore>) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<OrganizationRow[]> =>
    queryable.query<OrganizationRow>(sql`/* organizations.byIds */ select ${organizations.columns} from organization where id = any(${[...ids]}::uuid[])`);

  /** By id, in the order asked for; null for what the viewer may not see. */
  const byId: BatchRead<string, OrganizationRow | null> = async (ids, { viewer }) => {
    const rows = await read(ids);
    return inOrder(ids, rows.filter((row) => isPublic(row) || owns(viewer, row.accountId) || seesEverything(viewer)), (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'organization', ids);

  async function refuseForeignParent(transaction: Queryable, accountId: string, parentId: string | null | undefined): Promise<void> {
    if (!parentId) return;
    const [parent] = await read([parentId], transaction);
    if (parent?.accountId === accountId) return;
    refuse([{ pointer: '/parentOrganizationId', code: 'unknown_organization', detail: 'The parent must be an organization of the same account.' }]);
  }

  async function insert(transaction: WriteTransaction, accountId: string, input: CreateOrganizationInput): Promise<OrganizationRow> {
    refuse([
      ...organizationFaults(input.type, input),
      input.createTeam === true && input.type !== 'CLUB' && { pointer: '/createTeam', code: 'not_for_type', detail: 'Only a CLUB makes its first team with itself.' },
    ]);
    await refuseForeignParent(transaction, accountId, input.parentOrganizationId);
    const row = await insertResource(transaction, organizationResource, { ...valuesOf(input), accountId }, input.externalIds);
    const [sport] = row.sports;
    if (input.createTeam === true && sport) await teams.insertFirst(transaction, row, sport);
    return row;
  }

  async function patch(transaction: WriteTransaction, before: OrganizationRow, input: CreateOrganizationInput | UpdateOrganizationInput): Promise<OrganizationRow> {
    refuse(organizationFaults(before.type, input));
    await refuseForeignParent(transaction, before.accountId, input.parentOrganizationId);
    const { status: _, type: __, ...values } = valuesOf(input);
    return patchResource(transaction, organizationResource, before, values, input.externalIds);
  }

  const reloading = (context: Context, operation: string, key: string | null | undefined, input: unknown) => ({
    operation, key, input, reload: (id: string) => context.load(byId, id),
  });

  return {
    byId,
    externalIds,
    read,
    list(context: Context, args: QueryOrganizationsArgs): Promise<OrganizationPage> {
      const filter = args.filter ?? {};
      const sort = filter.updatedSince ? 'UPDATED_AT_ASC' : (args.sort ?? 'CREATED_AT_DESC');
      const { viewer } = context;
      const tombstones = filter.updatedSince
        ? { resourceType: 'organization', since: filter.updatedSince, visibleTo: filter.mine ? sql`account_id = ${requireAccount(viewer)}` : sql`public` }
        : undefined;
      const list = { name: 'organizations.list', columns: organizations.columns, from: sql`organization`, id: sql`organization.id`, where: conditions(viewer, filter), sort: sorts[sort] };
      return readPage(database, cursors, { ...list, filter: [filter, sort, viewer.sport], tombstones }, { first: args.first ?? 20, after: args.after });
    },
    create(context: Context, input: CreateOrganizationInput, key: string | null | undefined): Promise<OrganizationRow> {
      const accountId = requireAccount(context.viewer);
      return writer.write(context, (transaction) => insert(transaction, accountId, input), reloading(context, 'createOrganization', key, input));
    },
    update(context: Context, id: string, input: UpdateOrganizationInput, ifMatch: string): Promise<OrganizationRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwn(transaction, organizationResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, before, input);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<OrganizationRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwn(transaction, organizationResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted; close the organization instead.');
        await removeRow(transaction, organizationResource, row);
        return row;
      });
    },
    /** Takes a step of the state machine, as the owner or as a moderator. */
    transition(context: Context, verb: OrganizationVerb, { id, reason, idempotencyKey }: Step) {
      const moderates = organizationTransitions[verb].actors.some((actor) => actor === 'MODERATOR');
      const step = async (transaction: WriteTransaction): Promise<OrganizationRow> => {
        const row = moderates ? await lockRow(transaction, organizationResource, id) : await lockOwn(transaction, organizationResource, context.viewer, id);
        const status = nextState(organizationTransitions, verb, row.status, moderates ? ['MODERATOR'] : ['OWNER']);
        return changeRow(transaction, organizationResource, row, { status }, { action: verb, event: 'organization.status_changed', data: reason ? { reason } : {} });
      };
      return writer.write(context, step, reloading(context, `${verb}Organization`, idempotencyKey, { id, reason }));
    },
    /** A moderator's word on who the organization is. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason: method, idempotencyKey }: Step) {
      const step = async (transaction: WriteTransaction): Promise<OrganizationRow> => {
        const row = await lockRow(transaction, organizationResource, id);
        const status = verb === 'verify' ? 'VERIFIED' : 'REJECTED';
        const verification = { status, method: method ?? null, at: new Date().toISOString() } as const;
        return changeRow(transaction, organizationResource, row, { verification }, { action: verb, event: 'organization.verified' });
      };
      return writer.write(context, step, reloading(context, `${verb}Organization`, idempotencyKey, { id, method }));
    },
    upsert(context: Context, items: readonly CreateOrganizationInput[], idempotencyKey: string | null | undefined): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const request = { operation: 'upsertOrganizations', idempotencyKey, items, orderBy: externalIdOrder, constraints: organizationConstraints };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'organization', accountId, firstExternalId(item));
        if (id === null) return upserted(null, await insert(transaction, accountId, item));
        const before = await lockRow(transaction, organizationResource, id);
        if (item.type !== before.type) refuse([{ pointer: '/type', code: 'immutable', detail: `This organization is a ${before.type}; its type does not change.` }]);
        return upserted(before, await patch(transaction, before, item));
      });
    },
  };
}
