/** Teams: the SQL of their reads and writes. */
import { Problem, refuse } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database.ts';
import { externalIdOrder, externalIdsOf, findByExternalId, firstExternalId, hasExternalId, type ExternalId } from '../../../platform/external-id.ts';
import { readPage, type Page, type Sort } from '../../../platform/page.ts';
import { readPages, type PageKey } from '../../../platform/pages.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import { insertResource, lockOwn, lockRow, patchResource, removeRow, requireAccount, type Resource, type ResourceRow } from '../../../platform/resource.ts';
import { matchesWords, searchText } from '../../../platform/search.ts';
import { inOrder, table } from '../../../platform/table.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, BatchRead, Context } from '../../subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { AgeGroup, CreateTeamInput, QueryTeamsArgs, Sport, TeamCategory, TeamSort, UpdateTeamInput } from '../resolvers.generated.ts';
import { countryFault, disciplineFault } from '../rules.ts';

export interface TeamRow extends ResourceRow {
  readonly name: string;
  readonly shortName: string | null;
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly category: TeamCategory;
  readonly ageGroup: AgeGroup;
  readonly organizationId: string | null;
  readonly country: string | null;
}

export type TeamPage = Page<TeamRow>;

const teams = table<TeamRow>('team', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', name: 'plain', shortName: 'plain', sport: 'plain',
  discipline: 'plain', category: 'plain', ageGroup: 'plain', organizationId: 'plain', country: 'plain',
});

export const teamResource: Resource<TeamRow> = {
  type: 'team',
  table: teams,
  created: 'team.created',
  updated: 'team.updated',
  deleted: 'team.deleted',
  required: ['name', 'category', 'ageGroup'],
  isPublic: () => true,
  computed: (row) => ({ search: searchText([row.name, row.shortName]) }),
};

const name = { column: sql`team.name collate "und-x-icu"`, type: 'text', value: (row: TeamRow) => row.name } as const;
const createdAt = { column: sql`team.created_at`, type: 'timestamptz', value: (row: TeamRow) => row.createdAt } as const;
const sorts: Readonly<Record<TeamSort, Sort<TeamRow>>> = {
  NAME_ASC: { ...name, direction: 'asc' },
  NAME_DESC: { ...name, direction: 'desc' },
  CREATED_AT_DESC: { ...createdAt, direction: 'desc' },
  CREATED_AT_ASC: { ...createdAt, direction: 'asc' },
  UPDATED_AT_ASC: { column: sql`team.updated_at`, type: 'timestamptz', direction: 'asc', value: (row) => row.updatedAt },
};

function conditions(viewer: Viewer, filter: NonNullable<QueryTeamsArgs['filter']>): Sql[] {
  const where: Sql[] = [];
  if (filter.mine) where.push(sql`team.account_id = ${requireAccount(viewer)}`);
  if (filter.q) where.push(matchesWords(sql`team.search`, filter.q));
  if (filter.organizationId) where.push(sql`team.organization_id = ${filter.organizationId}`);
  if (filter.sport) where.push(sql`team.sport = any(${filter.sport})`);
  if (viewer.sport) where.push(sql`team.sport = ${viewer.sport}`);
  if (filter.category) where.push(sql`team.category = any(${filter.category})`);
  if (filter.ageGroup) where.push(sql`team.age_group = any(${filter.ageGroup})`);
  if (filter.country) where.push(sql`team.country = any(${filter.country})`);
  if (filter.externalId) where.push(hasExternalId('team', sql`team.id`, filter.externalId));
  if (filter.updatedSince) where.push(sql`team.updated_at >= ${filter.updatedSince}::timestamptz`);
  return where;
}

/** Reads and writes of teams over the area's database. */
export function createTeamStore({ database, cursors, writer }: AreaServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<TeamRow[]> =>
    queryable.query<TeamRow>(sql`/* teams.byIds */ select ${teams.columns} from team where id = any(${[...ids]}::uuid[])`);
  const byId: BatchRead<string, TeamRow | null> = async (ids, { viewer }) =>
    inOrder(ids, (await read(ids)).filter((row) => viewer.sport === null || row.sport === viewer.sport), (row) => row.id);
  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'team', ids);

  /** Teams of many organizations in one statement, a page each. */
  const pagesOfOrganizations: BatchRead<PageKey, TeamPage> = (keys, { viewer }) =>
    readPages(database, cursors, { name: 'teams.ofOrganizations', columns: teams.columns, table: 'team', owner: 'organization_id', where: conditions(viewer, {}), sort: sorts.NAME_ASC }, keys);

  async function insert(transaction: WriteTransaction, accountId: string, input: CreateTeamInput): Promise<TeamRow> {
    refuse([
      disciplineFault(input.sport, input.discipline),
      countryFault('/country', input.country),
      !!input.organizationId === !!input.country && {
        pointer: '/organizationId', code: 'one_of', detail: 'Give either organizationId (a team of an organization) or country (a national team).',
      },
    ]);
    if (input.organizationId) {
      const [owner] = await transaction.query<{ accountId: string }>(
        sql`/* teams.ownerOfOrganization */ select account_id as "accountId" from organization where id = ${input.organizationId} for key share`,
      );
      if (!owner) refuse([{ pointer: '/organizationId', code: 'unknown_organization', detail: 'There is no organization with this id.' }]);
      if (owner?.accountId !== accountId) throw new Problem('not_owner', 'Teams are created by the account of their organization.');
    }
    const { externalIds: ids, ...values } = input;
    return insertResource(transaction, teamResource, { ...(values as Partial<TeamRow>), ageGroup: input.ageGroup ?? 'SENIOR', accountId }, ids);
  }

  const reloading = (context: Context, operation: string, key: string | null | undefined, input: unknown) => ({
    operation, key, input, reload: (id: string) => context.load(byId, id),
  });

  return {
    byId,
    externalIds,
    read,
    pagesOfOrganizations,
    list({ viewer }: Context, args: QueryTeamsArgs): Promise<TeamPage> {
      const filter = args.filter ?? {};
      const sort = filter.updatedSince ? 'UPDATED_AT_ASC' : (args.sort ?? 'NAME_ASC');
      const tombstones = filter.updatedSince ? { resourceType: 'team', since: filter.updatedSince, visibleTo: sql`public` } : undefined;
      const list = { name: 'teams.list', columns: teams.columns, from: sql`team`, id: sql`team.id`, where: conditions(viewer, filter), sort: sorts[sort] };
      return readPage(database, cursors, { ...list, filter: [filter, sort, viewer.sport], tombstones }, { first: args.first ?? 20, after: args.after });
    },
    /** The first team of a new club, in the transaction that creates the club. */
    insertFirst(transaction: WriteTransaction, organization: { id: string; accountId: string; name: string; shortName: string | null }, sport: Sport): Promise<TeamRow> {
      const { id, accountId, name: teamName, shortName } = organization;
      return insertResource(transaction, teamResource, { accountId, name: teamName, shortName, sport, category: 'OPEN', ageGroup: 'SENIOR', organizationId: id }, null);
    },
    create(context: Context, input: CreateTeamInput, key: string | null | undefined): Promise<TeamRow> {
      const accountId = requireAccount(context.viewer);
      return writer.write(context, (transaction) => insert(transaction, accountId, input), reloading(context, 'createTeam', key, input));
    },
    update(context: Context, id: string, input: UpdateTeamInput, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwn(transaction, teamResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        refuse([disciplineFault(before.sport, input.discipline)]);
        const { externalIds: ids, ...values } = input;
        return patchResource(transaction, teamResource, before, values as Partial<TeamRow>, ids);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwn(transaction, teamResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        await removeRow(transaction, teamResource, row);
        return row;
      });
    },
    upsert(context: Context, items: readonly CreateTeamInput[], idempotencyKey: string | null | undefined): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const request = { operation: 'upsertTeams', idempotencyKey, items, orderBy: externalIdOrder, constraints: organizationConstraints };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'team', accountId, firstExternalId(item));
        if (id === null) return upserted(null, await insert(transaction, accountId, item));
        const before = await lockRow(transaction, teamResource, id);
        refuse([
          item.sport !== before.sport && { pointer: '/sport', code: 'immutable', detail: `This team plays ${before.sport}; its sport does not change.` },
          disciplineFault(before.sport, item.discipline),
        ]);
        const { externalIds: ids, sport: _, organizationId: __, country: ___, ...values } = item;
        return upserted(before, await patchResource(transaction, teamResource, before, values as Partial<TeamRow>, ids));
      });
    },
  };
}
