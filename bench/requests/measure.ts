/** `npm run bench -- --requests`: filters of the request log with ten million rows, and the cost of recording a request. */
import pg from 'pg';
import { align } from '../../commands/markdown-table.ts';
import { openAccounts, type BenchDatabase } from '../database.ts';
import { measureRecording, type Recording } from './recording.ts';
import { fillRequestLog, largeAccount, largeKey, smallAccount } from './rows.ts';

const targets = { p95Ms: 200, recordUs: 2 };

export interface FilterTimes {
  readonly filter: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Rows of the first page. */
  readonly rows: number;
}

export interface RequestFigures {
  readonly rows: number;
  readonly bytes: number;
  readonly filters: readonly FilterTimes[];
  readonly recording: Recording;
}

export interface RequestSize {
  readonly rows: number;
  readonly reads: number;
  readonly warmUps: number;
}

const fullSize: RequestSize = { rows: 10_000_000, reads: 60, warmUps: 5 };

type Filter = Readonly<Record<string, unknown>>;

/** Filters of a large account, a small one, and all accounts, with frequent, rare and absent values. */
function filtersOf(requestId: string, middle: string): Readonly<Record<string, Filter>> {
  const large = { accountId: largeAccount };
  const values: Readonly<Record<string, Filter>> = {
    everything: {},
    'status 404': { status: [404] },
    'status 412, rare': { status: [412] },
    'status 410, absent': { status: [410] },
    'statuses 404, 422, 429': { status: [404, 422, 429] },
    'outcome CLIENT_ERROR': { outcome: 'CLIENT_ERROR' },
    'outcome SERVER_ERROR': { outcome: 'SERVER_ERROR' },
    'operation, frequent': { operation: 'GET /api/v1/athletes' },
    'operation, rare': { operation: 'POST /api/v1/webhooks/{id}/test' },
    'operation with status 422': { operation: 'PATCH /api/v1/athletes/{id}', status: [422] },
    'operation with status 412, rare': { operation: 'PATCH /api/v1/athletes/{id}', status: [412] },
    'error codes': { errorCode: ['validation_failed', 'rate_limited'] },
    'error code, rare': { errorCode: ['precondition_failed'] },
    'method PATCH': { method: 'PATCH' },
    'api GRAPHQL': { api: 'GRAPHQL' },
    'before a time': { until: middle },
    'before a time, status 404': { until: middle, status: [404] },
  };
  const named = (name: string, owner: Filter) =>
    Object.entries(values).map(([value, filter]) => [`${name}: ${value}`, { ...owner, ...filter }] as const);
  return Object.fromEntries([
    ...named('all accounts', {}),
    ...named('large account', large),
    ['small account: everything', { accountId: smallAccount }],
    ['small account: status 412, rare', { accountId: smallAccount, status: [412] }],
    ['key: everything', { key: largeKey }],
    ['key: status 404', { ...large, key: largeKey, status: [404] }],
    ['key: operation, rare', { ...large, key: largeKey, operation: 'POST /api/v1/webhooks/{id}/test' }],
    ['request ID', { requestId }],
    ['request ID, absent', { ...large, requestId: 'absent' }],
  ]);
}

const query = `query ($filter: LoggedRequestFilter) {
  requests(first: 50, filter: $filter) { nodes { id at path operation status errorCode durationMs requestId } pageInfo { endCursor } } }`;

/** Measures filters over an own log, then recording. */
export async function measureRequests(
  database: BenchDatabase,
  report: (line: string) => void,
  size: RequestSize = fullSize,
): Promise<RequestFigures> {
  const client = new pg.Client({ connectionString: database.ownerUrl, application_name: 'bench' });
  await client.connect();
  const accounts = await openAccounts(database);
  try {
    await fillRequestLog(client, size.rows, report);
    const { rows: known } = await client.query<{ id: string; bytes: string }>(
      `select (select request_id from accounts.request_log where account_id = $1 order by at desc offset 1000 limit 1) as id,
        (select sum(pg_total_relation_size(relid)) from pg_partition_tree('accounts.request_log')) as bytes`,
      [largeAccount],
    );
    const middle = new Date(Date.now() - 3.5 * 86_400_000).toISOString();
    const filters: FilterTimes[] = [];
    for (const [name, filter] of Object.entries(filtersOf(known[0]?.id ?? '', middle))) {
      const times: number[] = [];
      let rows = 0;
      for (let index = -size.warmUps; index < size.reads; index += 1) {
        const from = performance.now();
        const { requests } = await accounts.execute<{ readonly requests: { readonly nodes: readonly unknown[] } }>(query, {
          filter,
        });
        if (index >= 0) times.push(performance.now() - from);
        rows = requests.nodes.length;
      }
      times.sort((one, other) => one - other);
      const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
      filters.push({ filter: name, p50Ms: at(0.5), p95Ms: at(0.95), rows });
      report(`${name}: ${at(0.5).toFixed(1)} / ${at(0.95).toFixed(1)} ms, ${rows} rows`);
    }
    return { rows: size.rows, bytes: Number(known[0]?.bytes), filters, recording: measureRecording() };
  } finally {
    await Promise.all([client.end(), accounts.close()]);
  }
}

/** The table in Markdown, followed by the filters that miss their target. */
export function printRequests({ rows, bytes, filters, recording }: RequestFigures): string {
  const lines = filters.map(({ filter, p50Ms, p95Ms, rows: found }) => [
    filter,
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    String(found),
  ]);
  const slow = filters.filter(({ p95Ms }) => p95Ms >= targets.p95Ms).map(({ filter }) => filter);
  const judged = slow.length === 0 ? 'all met' : `MISSED by ${slow.join('; ')}`;
  const addedUs = recording.withUs - recording.withoutUs;
  return [
    align([['filter', 'p50 ms', 'p95 ms', 'rows'], ...lines]),
    '',
    `${rows} rows, ${(bytes / 1e9).toFixed(1)} GB with indexes. Target p95 < ${targets.p95Ms} ms: ${judged}.`,
    '',
    `Recording: ${recording.withoutUs.toFixed(2)} us per request without the log, ${recording.withUs.toFixed(2)} us with it: ` +
      `${addedUs.toFixed(2)} us more. Target < ${targets.recordUs} us: ${addedUs < targets.recordUs ? 'met' : 'MISSED'}. ` +
      `A flush builds a row in ${recording.rowUs.toFixed(1)} us.`,
  ].join('\n');
}
