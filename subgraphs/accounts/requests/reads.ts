/** Reads of the request log, newest first. An account reads its own requests; administrators read all. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { pageOf, type Sort } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { DataMode, LoggedRequestFilter, QueryRequestsArgs } from '../generated/resolvers.ts';
import { statusClasses } from './outcomes.ts';
import { loggedRequests, type LoggedRequestPage, type LoggedRequestRow } from './rows.ts';

const lastFirst: Sort<LoggedRequestRow> = {
  column: sql`request_log.at`,
  type: 'timestamptz',
  direction: 'desc',
  value: ({ at }) => at,
};

const dayMs = 86_400_000;
/** No row is older; the bound excludes partitions. */
const oldestMs = 32 * dayMs;

/** The account that the viewer may read; null: all. Throws Problem api_key_missing (401) without an account. */
export const readableAccount = (viewer: Viewer, requested: string | null | undefined): string | null =>
  hasFullAccess(viewer) ? (requested ?? null) : requireAccount(viewer);

/** The earlier of two times. */
const earlier = (one: string | null | undefined, other: string): string =>
  one && Date.parse(one) < Date.parse(other) ? one : other;

/** Constants, as in the indexes of test keys. */
const modeConditions: Readonly<Record<DataMode, Sql>> = {
  LIVE: sql`not starts_with(request_log.public_id, 'sp_test_')`,
  TEST: sql`starts_with(request_log.public_id, 'sp_test_')`,
};

function conditionsOf(viewer: Viewer, filter: LoggedRequestFilter): Sql[] {
  const { ids, key, mode, outcome, api, method, operation, since, until, requestId } = filter;
  const now = Date.now();
  const oldest = new Date(now - oldestMs).toISOString();
  const where = [
    sql`request_log.at >= ${since && Date.parse(since) > Date.parse(oldest) ? since : oldest}::timestamptz`,
    // the partitions of the next days are empty
    sql`request_log.at < ${earlier(until, new Date(now + dayMs / 24).toISOString())}::timestamptz`,
  ];
  const account = readableAccount(viewer, filter.accountId);
  if (account !== null) where.push(sql`request_log.account_id = ${account}`);
  // an id contains its time, which determines the partition
  if (ids)
    where.push(
      sql`(request_log.at, request_log.id) in (select uuid_extract_timestamp(each), each from unnest(${[...ids]}::uuid[]) each)`,
    );
  if (key) where.push(sql`request_log.public_id = ${key}`);
  if (mode) where.push(modeConditions[mode]);
  if (outcome) where.push(sql`request_log.status_class = ${statusClasses[outcome]}`);
  if (api) where.push(sql`request_log.api = ${api}`);
  if (method) where.push(sql`request_log.method = ${method}`);
  if (operation) where.push(sql`request_log.operation = ${operation}`);
  if (requestId) where.push(sql`request_log.request_id = ${requestId}`);
  return where;
}

/** The conditions of disjoint parts of the list, one per status and error code: an index has the order of each part. */
function partsOf({ status, errorCode }: LoggedRequestFilter): Sql[][] {
  const statuses = status ? [...new Set(status)].map((each) => sql`request_log.status = ${each}`) : [];
  const codes = errorCode ? [...new Set(errorCode)].map((each) => sql`request_log.error_code = ${each}`) : [];
  if (codes.length === 0) return statuses.length === 0 ? [[]] : statuses.map((each) => [each]);
  // a code has few statuses
  const ofStatuses = status ? [sql`request_log.status = any(${[...status]}::int[])`] : [];
  return codes.map((each) => [each, ...ofStatuses]);
}

/** Reads over the area's database. */
export function createRequestReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  return {
    /** Throws Problem cursor_invalid (400). */
    async list(viewer: Viewer, { first = 20, after, filter }: QueryRequestsArgs): Promise<LoggedRequestPage> {
      const fingerprint = fingerprintOf('requests.list', filter ?? {}, null);
      const where = conditionsOf(viewer, filter ?? {});
      if (after) {
        const [at, id] = cursors.open(after, fingerprint);
        where.push(sql`(request_log.at, request_log.id) < (${at}::timestamptz, ${id}::uuid)`);
      }
      const walks = partsOf(filter ?? {}).map(
        (part) => sql`(select ${loggedRequests.columns} from request_log where ${join([...where, ...part], ' and ')}
          order by request_log.at desc, request_log.id desc limit ${first + 1})`,
      );
      const rows = await database.query<LoggedRequestRow>(
        sql`/* requests.list */ select * from (${join(walks, ' union all ')}) walk order by "at" desc, "id" desc limit ${first + 1}`,
        'PAGE',
      );
      return pageOf(cursors, lastFirst, fingerprint, { first, after }, rows);
    },
    /** A request that the viewer may read; null if there is none. Its ID contains its time, which determines the partition. */
    async byId(viewer: Viewer, id: string): Promise<LoggedRequestRow | null> {
      const account = readableAccount(viewer, null);
      const [row] = await database.query<LoggedRequestRow>(sql`/* requests.byId */
        select ${loggedRequests.columns} from request_log
        where at = uuid_extract_timestamp(${id}::uuid) and id = ${id}::uuid
          and ${account === null ? sql`true` : sql`account_id = ${account}`}`);
      return row ?? null;
    },
  };
}
