/** SQL reads of teams. */
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import { findByName, localizedNames } from '../../../platform/lists/names.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { publishedTeam, visibleTeams } from '../organizations/visibility.ts';
import type { NameMatch, QueryTeamsArgs, QueryTeamsByNameArgs, TeamSort } from '../generated/resolvers.ts';
import { teamResource, teams, type TeamPage, type TeamRow } from './rows.ts';

const sorts: Readonly<Record<TeamSort, Sort<TeamRow>>> = {
  NAME_ASC: sortBy(teams, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(teams, 'name', 'text', 'desc'),
  CREATED_AT_DESC: sortBy(teams, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(teams, 'createdAt', 'timestamptz', 'asc'),
  UPDATED_AT_ASC: sortBy(teams, 'updatedAt', 'timestamptz', 'asc'),
};

function ofSports(viewer: Viewer, sport: readonly Sport[] | null | undefined): Sql[] {
  const where: Sql[] = [];
  if (viewer.sport) where.push(sql`team.sport = ${viewer.sport}`);
  if (sport) where.push(sql`team.sport = any(${[...sport]})`);
  return where;
}

function conditions(viewer: Viewer, filter: NonNullable<QueryTeamsArgs['filter']>): Sql[] {
  const where: Sql[] = [visibleTeams(viewer)];
  if (filter.mine) where.push(sql`team.account_id = ${requireAccount(viewer)}`);
  if (filter.q) where.push(matchesWords(sql`team.search`, filter.q));
  if (filter.organizationId) where.push(oneOf(sql`team.organization_id`, filter.organizationId));
  if (filter.sport) where.push(sql`team.sport = any(${filter.sport})`);
  if (viewer.sport) where.push(sql`team.sport = ${viewer.sport}`);
  if (filter.category) where.push(sql`team.category = any(${filter.category})`);
  if (filter.ageGroup) where.push(sql`team.age_group = any(${filter.ageGroup})`);
  if (filter.country) where.push(sql`team.country = any(${filter.country})`);
  return where;
}

/** A team that a search found; its crest and the short name of its club are in the organization. */
type FoundTeam = NameMatch & Pick<TeamRow, 'organizationId'>;

/** Creates the reads of teams. */
export function createTeamReads({ database, cursors }: AreaServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<TeamRow[]> =>
    queryable.query<TeamRow>(
      sql`/* teams.byIds */ select ${teams.columns} from team where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the requested order. Null for teams that the viewer cannot read. */
  const byId: BatchRead<string, TeamRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<TeamRow>(
      sql`/* teams.byIds */ select ${teams.columns} from team where id = any(${[...ids]}::uuid[]) and ${visibleTeams(viewer)}`,
      'PAGE',
    );
    return inOrder(
      ids,
      rows.filter((row) => viewer.sport === null || row.sport === viewer.sport),
      (row) => row.id,
    );
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'team', ids);

  /** Pages of teams of many organizations, in one statement. */
  const pagesOfOrganizations: BatchRead<PageKey, TeamPage> = (keys, { viewer }) =>
    readPages(
      database,
      cursors,
      {
        name: 'teams.ofOrganizations',
        columns: teams.columns,
        table: 'team',
        owner: 'organization_id',
        where: conditions(viewer, {}),
        sort: sorts.NAME_ASC,
      },
      keys,
    );

  return {
    byId,
    externalIds,
    read,
    pagesOfOrganizations,
    /** Public teams by name, best match first. */
    byName({ viewer }: Context, { sport, ...search }: QueryTeamsByNameArgs): Promise<FoundTeam[]> {
      const where = [publishedTeam, ...ofSports(viewer, sport)];
      const names = {
        name: sql`team.name`,
        otherNames: sql`array_remove(array[team.short_name], null) || ${localizedNames(sql`team.names`)}`,
      };
      const columns = [
        sql`team.short_name as "shortName"`,
        sql`team.category`,
        sql`team.age_group as "ageGroup"`,
        sql`team.organization_id as "organizationId"`,
      ];
      return findByName(database, { table: 'team', ...names, columns, sports: sql`array[team.sport]`, where }, search);
    },
    list({ viewer }: Context, args: QueryTeamsArgs): Promise<TeamPage> {
      const order = args.sort ?? 'NAME_ASC';
      const where = conditions(viewer, args.filter ?? {});
      const list = { name: 'teams.list', resource: teamResource, where, sort: sorts[order], order };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type TeamReads = ReturnType<typeof createTeamReads>;
