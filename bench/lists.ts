/** `npm run bench -- --lists`: reads lists of athletes and statistics with one client through the REST API, the first page and a deep page. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { knownStatement, listsOf, type Known } from './list-rows.ts';
import type { OpenContender } from './open.ts';
import { align } from '../commands/markdown-table.ts';
import type { BenchDatabase } from './database.ts';

export const listedAthletes = 1_000_000;
const pageSize = 20;
const deepPage = 501;
/** For the list without filters: the deep page may not take longer than the first. */
const deepestPage = 10_000;
const p95MaxMs = 20;

type Viewer = 'key' | 'anonymous';

export interface ListTimes {
  readonly list: string;
  /** Number of the deep page; for a short list its last page. */
  readonly deepPage: number;
  /** Milliseconds, by reader and page. */
  readonly times: Readonly<Record<`${Viewer} ${'first' | 'deep'}`, { readonly p50Ms: number; readonly p95Ms: number }>>;
  /** Indexes, other than primary keys, that PostgreSQL scanned at least once per read. */
  readonly indexes: readonly string[];
}

interface Page {
  readonly data: readonly unknown[];
  /** Absent from a search. */
  readonly page?: { readonly nextCursor: string | null };
}

type Read = (list: string, options: { key?: string; size?: number; cursor?: string | null }) => Promise<Page>;

function readFrom(url: string): Read {
  return async (list, { key, size = pageSize, cursor = null }) => {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/v1${list}${list.includes('?') ? '&' : '?'}limit=${size}${after}`;
    const response = await fetch(`${url}${path}`, key === undefined ? {} : { headers: { 'x-api-key': key } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Page;
  };
}

/** Skips pages in steps of a hundred to a page of twenty, and returns the last page that starts with a cursor. */
async function walkTo(
  page: number,
  next: (cursor: string | null) => Promise<Page>,
): Promise<{ cursor: string | null; page: number }> {
  let cursor: string | null = null;
  let reached = 1;
  while (reached < page) {
    const found: Page = await next(cursor);
    const nextCursor = found.page?.nextCursor ?? null;
    if (nextCursor === null) break;
    cursor = nextCursor;
    reached += 100 / pageSize;
  }
  return { cursor, page: reached };
}

function quantiles(times: number[]): { p50Ms: number; p95Ms: number } {
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

/** Scans of each index so far. Sessions report them once a second, with their next statement. */
async function scansOf(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; scans: string }>(
    `select indexrelname as name, idx_scan as scans from pg_stat_user_indexes
     where schemaname = 'athletes' and relname in ('athlete', 'athlete_nationality', 'athlete_sport', 'membership', 'statistics', 'statistic_metric')`,
  );
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
}

/** How often each page is read. */
export interface ListReads {
  readonly reads: number;
  readonly warmUps: number;
}

const fullReads: ListReads = { reads: 60, warmUps: 5 };

async function measureList(
  read: Read,
  key: string,
  list: string,
  client: pg.Client,
  { reads, warmUps }: ListReads,
): Promise<ListTimes> {
  const deep = list === '/athletes' ? deepestPage : deepPage;
  const onePage = { cursor: null, page: 1 };
  const { cursor, page } = list.startsWith('/search')
    ? onePage
    : await walkTo(deep, (from) => read(list, { key, size: 100, cursor: from }));
  const measured = (['key', 'anonymous'] as const).flatMap((viewer) =>
    (['first', 'deep'] as const).map((where) => ({
      name: `${viewer} ${where}` as const,
      options: { ...(viewer === 'key' && { key }), cursor: where === 'first' ? null : cursor },
      times: [] as number[],
    })),
  );
  const countScans = async (): Promise<Map<string, number>> => {
    if (warmUps > 0) await sleep(1_100);
    await read(list, { key });
    return scansOf(client);
  };
  const before = await countScans();
  // alternate, so that a disturbance affects all of them
  for (let index = -warmUps; index < reads; index += 1) {
    for (const { options, times } of measured) {
      const from = performance.now();
      await read(list, options);
      if (index >= 0) times.push(performance.now() - from);
    }
  }
  const after = await countScans();
  const indexes = [...after].flatMap(([name, scans]) =>
    scans - (before.get(name) ?? 0) >= reads && !name.endsWith('_pkey') ? [name] : [],
  );
  const times = Object.fromEntries(measured.map((each) => [each.name, quantiles(each.times)])) as ListTimes['times'];
  return { list, deepPage: page, times, indexes };
}

/** Measures all lists. */
export async function measureLists(
  { ownerUrl, key }: Pick<BenchDatabase, 'ownerUrl' | 'key'>,
  platform: OpenContender,
  report: (line: string) => void,
  size: ListReads = fullReads,
): Promise<ListTimes[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench' });
  await client.connect();
  try {
    const { rows } = await client.query<Known>(knownStatement);
    const [known] = rows;
    if (!known) throw new Error('The database has no statistics.');
    const measured: ListTimes[] = [];
    for (const list of listsOf(known)) {
      const found = await measureList(readFrom(platform.url), key, list, client, size);
      measured.push(found);
      report(lineOf(found).join(' | '));
    }
    return measured;
  } finally {
    await client.end();
  }
}

const slowestOf = ({ times }: ListTimes): number => Math.max(...Object.values(times).map(({ p95Ms }) => p95Ms));

function lineOf({ list, deepPage: page, times, indexes }: ListTimes): string[] {
  const cells = Object.values(times).map(({ p50Ms, p95Ms }) => `${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)}`);
  return [`\`${decodeURIComponent(list)}\``, indexes.join(', '), String(page), ...cells];
}

/** The table in Markdown, followed by the reads that miss their target. */
export function printLists(measured: readonly ListTimes[]): string {
  const head = ['list', 'indexes', 'deep page', 'key, first', 'key, deep', 'anonymous, first', 'anonymous, deep'];
  const slow = measured.filter((each) => slowestOf(each) >= p95MaxMs).map(({ list }) => list);
  const judged = slow.length === 0 ? 'all met' : `MISSED by ${slow.length} of ${measured.length}: ${slow.join(', ')}`;
  return `${align([head, ...measured.map(lineOf)])}\n\nMilliseconds, p50 / p95 of ${fullReads.reads} reads. Target p95 < ${p95MaxMs} ms: ${judged}.`;
}
