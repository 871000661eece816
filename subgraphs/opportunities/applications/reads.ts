/** Applications: the SQL of their reads. Writes: application-writes.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ApplicationFilter, ApplicationStatus, QueryApplicationsArgs } from '../resolvers.generated.ts';
import {
  applicationResource,
  applications,
  visibleApplicant,
  visibleApplications,
  visibleExternalIds,
  type ApplicationPage,
  type ApplicationRow,
} from './rows.ts';

const newest = sortBy(applications, 'createdAt', 'timestamptz', 'desc');

/** application-lifecycle.ts statusAt, in SQL. */
const statusNow = sql`case when application.status = 'OFFERED' and application.offer_expires_at <= now() then 'EXPIRED' else application.status end`;

const ofSport = (viewer: Viewer): Sql[] => (viewer.sport ? [sql`application.sport = ${viewer.sport}`] : []);

/** In any of these states now. What is stored is named as well, for the index knows only that. */
function inStates(states: readonly ApplicationStatus[]): Sql {
  const stored = states.includes('EXPIRED') ? [...new Set([...states, 'OFFERED'])] : [...states];
  return sql`application.status = any(${stored}) and ${statusNow} = any(${[...states]})`;
}

function conditions(viewer: Viewer, filter: ApplicationFilter): Sql[] {
  const where = [visibleApplications(viewer, filter.side), ...ofSport(viewer)];
  if (filter.opportunityId) where.push(sql`application.opportunity_id = ${filter.opportunityId}`);
  if (filter.athleteId) where.push(sql`application.athlete_id = ${filter.athleteId}`);
  if (filter.status) where.push(inStates(filter.status));
  return where;
}

/** An application is between two accounts, and may be of a minor: no answer with one is stored anywhere. */
function notePrivate({ notes }: Pick<Context, 'notes'>): void {
  notes.person = true;
  notes.minor = true;
}

/** What an application tells of its past: a step of either side, of the timer or of the platform. */
export interface TransitionRow {
  readonly applicationId: string;
  readonly version: number;
  readonly action: string;
  readonly at: string;
  readonly status: ApplicationStatus | null;
}

/** The longest history that is told: two sides may send an application to and fro without end. */
const historyMax = 100;

/** Reads of applications over the area's database. */
export function createApplicationReads({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<ApplicationRow[]> =>
    queryable.query<ApplicationRow>(
      sql`/* applications.read */ select ${applications.columns} from application where id = any(${[...ids]}::uuid[])`,
    );

  /** By id, in the order asked for; null for whoever is neither of the two sides. */
  const byId: BatchRead<string, ApplicationRow | null> = async (ids, context) => {
    notePrivate(context);
    const where = join(
      [sql`id = any(${[...ids]}::uuid[])`, visibleApplications(context.viewer), ...ofSport(context.viewer)],
      ' and ',
    );
    const rows = await database.query<ApplicationRow>(
      sql`/* applications.byIds */ select ${applications.columns} from application where ${where}`,
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids, { viewer }) =>
    externalIdsOf(database, 'application', ids, visibleExternalIds(viewer));

  /** Steps by application, the latest first; what the applicant did to the draft is not among them. */
  const histories: BatchRead<string, TransitionRow[]> = async (ids) => {
    const rows = await database.query<TransitionRow>(sql`/* applications.histories */
      select step.* from unnest(${[...ids]}::uuid[]) as application(id), lateral (
        select resource_id as "applicationId", version, action, at, changes #>> '{status,1}' as status from history
        where resource_type = 'application' and resource_id = application.id and action not in ('created', 'updated', 'merged')
        order by version desc, at desc limit ${historyMax}) step`);
    const byApplication = Map.groupBy(rows, ({ applicationId }) => applicationId);
    return ids.map((id) => byApplication.get(id) ?? []);
  };

  /** Whether athletes are active now: asked at every read, so that a consent that is withdrawn counts at once. */
  const active: BatchRead<string, boolean> = async (ids, context) => {
    const facts = await athletesById(context, ids);
    return ids.map((id) => facts.get(id)?.status === 'ACTIVE');
  };

  const nested = { columns: applications.columns, table: 'application', sort: newest };
  /** Those that the viewer sees of many opportunities, in one statement, a page each. */
  const pagesOfOpportunities: BatchRead<PageKey, ApplicationPage> = (keys, context) => {
    notePrivate(context);
    const where = [visibleApplications(context.viewer), ...ofSport(context.viewer)];
    const list = { ...nested, name: 'applications.ofOpportunities', owner: 'opportunity_id', where };
    return readPages<ApplicationRow>(database, cursors, list, keys);
  };
  /** All that is held of athletes: for their owner. */
  const exported: BatchRead<PageKey, ApplicationPage> = (keys, context) => {
    notePrivate(context);
    const list = { ...nested, name: 'applications.exported', owner: 'athlete_id', where: [] };
    return readPages<ApplicationRow>(database, cursors, list, keys);
  };

  return {
    read,
    byId,
    externalIds,
    histories,
    pagesOfOpportunities,
    exported,
    /** What the applicant says: told to the other side while the athlete is active, as nothing of a minor is shown without consent. */
    async answers(context: Context, row: ApplicationRow): Promise<ApplicationRow['answers'] | null> {
      const { viewer } = context;
      if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row.answers;
      return row.athleteId !== null && (await context.load(active, row.athleteId)) ? row.answers : null;
    },
    /** Those of both sides of the viewer's account. Throws Problem api_key_missing (401), cursor_invalid (400). */
    async list(context: Context, args: QueryApplicationsArgs): Promise<ApplicationPage> {
      notePrivate(context);
      const { viewer } = context;
      requireAccount(viewer);
      const filter = args.filter ?? {};
      const { athleteId } = filter;
      const athlete = athleteId ? (await athletesById(context, [athleteId])).get(athleteId) : undefined;
      const list = {
        name: 'applications.list',
        resource: applicationResource,
        where: [
          ...conditions(viewer, filter),
          ...(athleteId && !hasFullAccess(viewer) ? [visibleApplicant(viewer, athlete)] : []),
        ],
        sort: newest,
        visibleIds: visibleExternalIds(viewer),
      };
      // every application is of the viewer's account, on one side or the other
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...filter, mine: true } });
    },
  };
}

export type ApplicationReads = ReturnType<typeof createApplicationReads>;
