/** `npm run bench -- --pages`: the first page of a long list and one deep within it, read by one client through the REST door. */
import pg from 'pg';
import type { BenchDatabase } from './database.ts';
import { openContender, type OpenContender } from './open.ts';
import { contenders } from './rows.ts';

export const listed = 1_000_000;
const deepPage = 10_000;
const pageSize = 20;
const reads = 500;
const warmUps = 200;
const mostTimes = 1.5;
/** Copied at once: a statement of a few seconds. */
const batch = 100_000;

export interface PageTimes {
  readonly what: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/**
 * Copies athletes until there are so many, with ids of their own, each a second older than the one before: the same people for the
 * indexes that the list uses, without the rest of a world, which would take an hour.
 */
async function copyAthletes(ownerUrl: string, total: number, tell: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench' });
  await client.connect();
  try {
    await client.query('set search_path to athletes');
    const { rows: columns } = await client.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'athletes' and table_name = 'athlete' and is_generated = 'NEVER'
         and column_name not in ('id', 'created_at', 'updated_at')`,
    );
    const names = columns.map(({ name }) => name).join(', ');
    await client.query('create temporary table seeded as select *, row_number() over (order by id) as place from athlete');
    const { rows: counts } = await client.query<{ seeded: number }>('select count(*)::int as seeded from seeded');
    const seeded = counts[0]?.seeded ?? 0;
    for (let done = seeded; done < total; done += batch) {
      await client.query(
        `insert into athlete (id, created_at, updated_at, ${names})
         select gen_random_uuid(), made, made, ${names}
         from generate_series($1::int, $2::int - 1) number
         join seeded on place = 1 + number % $3::int, lateral (select seeded.created_at - number * interval '1 second' as made)`,
        [done, Math.min(done + batch, total), seeded],
      );
      tell(`${Math.min(done + batch, total)} of ${total} athletes`);
    }
    await client.query('vacuum analyze athlete');
  } finally {
    await client.end();
  }
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly nextCursor: string | null };
}

/** Throws on any answer but a full page. */
async function readPage({ url }: OpenContender, key: string, size: number, cursor: string | null): Promise<Page> {
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const answer = await fetch(`${url}/api/v1/athletes?limit=${size}${after}`, { headers: { 'x-api-key': key } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  const page = JSON.parse(text) as Page;
  if (page.data.length !== size) throw new Error(`A page of ${size} has ${page.data.length} athletes.`);
  return page;
}

/** Walks to the cursor of a page of twenty, in steps of a hundred where they fit. */
async function walkTo(page: number, read: (size: number, cursor: string | null) => Promise<Page>): Promise<string> {
  let cursor: string | null = null;
  let left = (page - 1) * pageSize;
  while (left > 0) {
    const size = Math.min(100, left);
    const found: Page = await read(size, cursor);
    cursor = found.page.nextCursor;
    left -= size;
  }
  if (cursor === null) throw new Error('The list is too short.');
  return cursor;
}

/** Both pages in turn, so that a disturbance meets both. */
export async function measurePages(database: BenchDatabase, tell: (line: string) => void): Promise<PageTimes[]> {
  await copyAthletes(database.ownerUrl, listed, tell);
  const platform = await openContender(contenders.platform, { ...database, shop: null });
  try {
    const read = (size: number, cursor: string | null): Promise<Page> => readPage(platform, database.key, size, cursor);
    const cursor = await walkTo(deepPage, read);
    tell(`Page ${deepPage} is found.`);
    const pages = [
      { what: 'page 1', cursor: null, times: [] as number[] },
      { what: `page ${deepPage}`, cursor, times: [] as number[] },
    ];
    for (let index = -warmUps; index < reads; index += 1) {
      for (const page of pages) {
        const from = performance.now();
        await read(pageSize, page.cursor);
        if (index >= 0) page.times.push(performance.now() - from);
      }
    }
    return pages.map(({ what, times }) => {
      times.sort((one, other) => one - other);
      const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
      return { what, p50Ms: at(0.5), p95Ms: at(0.95) };
    });
  } finally {
    await platform.close();
  }
}

/** The table in Markdown, and the ratio of the medians. */
export function printPages(pages: readonly PageTimes[]): string {
  const lines = pages.map(({ what, p50Ms, p95Ms }) => `| ${what} | ${reads} | ${p50Ms.toFixed(2)} | ${p95Ms.toFixed(2)} |`);
  const times = (pages[1]?.p50Ms ?? 0) / (pages[0]?.p50Ms ?? 0);
  const judged = `${times.toFixed(2)} x (target <= ${mostTimes} x, ${times <= mostTimes ? 'met' : 'MISSED'})`;
  return ['| what | reads | p50 ms | p95 ms |', '|---|--:|--:|--:|', ...lines, '', `Half of the reads: ${judged}`].join('\n');
}
