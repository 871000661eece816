/** SQL reads of applications. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ApplicationFilter, ApplicationStatus, QueryApplicationsArgs } from '../generated/resolvers.ts';
import { applicationResource, applications, type ApplicationPage, type ApplicationRow } from './rows.ts';
import { visibleApplicants, visibleApplications, visibleExternalIds } from './visibility.ts';

const newestFirst = sortBy(applications, 'createdAt', 'timestamptz', 'desc');

/** `statusAt` of lifecycle.ts in SQL. */
const currentStatus = sql`case when application.status = 'OFFERED' and application.offer_expires_at <= now() then 'EXPIRED' else application.status end`;

const inSportOf = (viewer: Viewer): Sql[] => (viewer.sport ? [sql`application.sport = ${viewer.sport}`] : []);

/** The current status is one of these. The stored status is compared too, because only it is indexed. */
function hasStatus(statuses: readonly ApplicationStatus[]): Sql {
  const stored = statuses.includes('EXPIRED') ? [...new Set([...statuses, 'OFFERED'])] : [...statuses];
  return sql`application.status = any(${stored}) and ${currentStatus} = any(${[...statuses]})`;
}

function conditions(viewer: Viewer, filter: ApplicationFilter): Sql[] {
  const where = [visibleApplications(viewer, filter.side), ...inSportOf(viewer)];
  if (filter.opportunityId) where.push(oneOf(sql`application.opportunity_id`, filter.opportunityId));
  if (filter.athleteId) where.push(oneOf(sql`application.athlete_id`, filter.athleteId));
  if (filter.status) where.push(hasStatus(filter.status));
  return where;
}

const administratorReads = createAdministratorReads<ApplicationRow>('APPLICATIONS', ({ athleteId }) => [athleteId]);

/** Applications are private to two accounts and can concern minors, so a response with one is never cached. */
function notePrivate({ notes }: Pick<Context, 'notes'>): void {
  notes.person = true;
  notes.minor = true;
}

/** A status change in the history of an application. */
export interface TransitionRow {
  readonly applicationId: string;
  readonly version: number;
  readonly action: string;
  readonly at: string;
  readonly status: ApplicationStatus | null;
}

/** The longest history that is returned. The number of transitions of an application is unbounded. */
const historyMax = 100;

export function createApplicationReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ApplicationRow | null> = async (ids, context) => {
    notePrivate(context);
    const where = join(
      [sql`id = any(${[...ids]}::uuid[])`, visibleApplications(context.viewer), ...inSportOf(context.viewer)],
      ' and ',
    );
    const rows = await database.query<ApplicationRow>(
      sql`/* applications.byIds */ select ${applications.columns} from application where ${where}`,
      'PAGE',
    );
    return inOrder(ids, await administratorReads.rows(context, rows), (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids, { viewer }) =>
    externalIdsOf(database, 'application', ids, visibleExternalIds(viewer));

  /** The transitions of applications, latest first, without the changes of the draft. */
  const histories: BatchRead<string, TransitionRow[]> = async (ids) => {
    const rows = await database.query<TransitionRow>(sql`/* applications.histories */
      select transition.* from unnest(${[...ids]}::uuid[]) as application(id), lateral (
        select resource_id as "applicationId", version, action, at, changes #>> '{status,1}' as status from history
        where resource_type = 'application' and resource_id = application.id and action not in ('created', 'updated', 'merged')
        order by version desc, at desc limit ${historyMax}) transition`);
    const byApplication = Map.groupBy(rows, ({ applicationId }) => applicationId);
    return ids.map((id) => byApplication.get(id) ?? []);
  };

  const nested = { columns: applications.columns, table: 'application', sort: newestFirst };
  /** Visible applications to many opportunities, one page for each, in one statement. */
  const pagesOfOpportunities: BatchRead<PageKey, ApplicationPage> = async (keys, context) => {
    notePrivate(context);
    const where = [visibleApplications(context.viewer), ...inSportOf(context.viewer)];
    const list = { ...nested, name: 'applications.ofOpportunities', owner: 'opportunity_id', where };
    return administratorReads.pages(context, await readPages<ApplicationRow>(database, cursors, list, keys));
  };
  /** All applications of athletes, for the export. The export checks that the viewer owns the athlete. */
  const pagesOfAthletes: BatchRead<PageKey, ApplicationPage> = (keys, context) => {
    notePrivate(context);
    const list = { ...nested, name: 'applications.exported', owner: 'athlete_id', where: [] };
    return readPages<ApplicationRow>(database, cursors, list, keys);
  };

  /** Applications of which the viewer's account is a side. Throws Problem api_key_missing (401), cursor_invalid (400). */
  async function list(context: Context, args: QueryApplicationsArgs): Promise<ApplicationPage> {
    notePrivate(context);
    const { viewer } = context;
    requireAccount(viewer);
    const filter = args.filter ?? {};
    const where = conditions(viewer, filter);
    if (filter.athleteId && !hasFullAccess(viewer))
      where.push(visibleApplicants(viewer, filter.athleteId, await athletesById(context, filter.athleteId)));
    const description = {
      name: 'applications.list',
      resource: applicationResource,
      where,
      sort: newestFirst,
      visibleIds: visibleExternalIds(viewer),
    };
    // Every visible application belongs to the viewer's account, on one side or the other.
    return readList({ database, cursors }, description, viewer, { ...args, filter: { ...filter, mine: true } });
  }

  return { byId, externalIds, histories, pagesOfOpportunities, pagesOfAthletes, list };
}

export type ApplicationReads = ReturnType<typeof createApplicationReads>;
