/** Loads the demo data: every area inserts its part of each squad, all or nothing. */
import pg from 'pg';
import { hasErrorCode } from '../../platform/error-code.ts';
import { createBulkLoad, type BulkLoad } from '../../platform/database/bulk-load.ts';
import { deferIndexes } from '../../platform/database/deferred-indexes.ts';
import type { Area } from '../../schema/areas.ts';
import { demoScheme, type DemoData } from '../../schema/demo.ts';
import { accountsSeed } from '../../subgraphs/accounts/demo/seed.ts';
import { athletesSeed } from '../../subgraphs/athletes/demo/seed.ts';
import { competitionsSeed } from '../../subgraphs/competitions/demo/seed.ts';
import { opportunitiesSeed } from '../../subgraphs/opportunities/demo/seed.ts';
import { organizationsSeed } from '../../subgraphs/organizations/demo/seed.ts';
import { scoutingSeed } from '../../subgraphs/scouting/demo/seed.ts';
import type { AreaSeed } from '../../subgraphs/runtime/area-seed.ts';
import { createDemoData } from './demo-data.ts';

/** In commit order: the account is last, so that data without an owner is never taken for complete. */
const seeds: readonly (readonly [Area, AreaSeed])[] = [
  ['organizations', organizationsSeed],
  ['athletes', athletesSeed],
  ['competitions', competitionsSeed],
  ['opportunities', opportunitiesSeed],
  ['scouting', scoutingSeed],
  ['accounts', accountsSeed],
];

export interface SeedOptions {
  /** Each area's database, with the area's role. */
  readonly areaUrls: Readonly<Record<Area, string>>;
  /** The database owner, which may analyze tables and drop indexes during the load; without it autovacuum analyzes later. */
  readonly ownerUrl?: string;
  readonly athletes: number;
  /** The same text and size give the same rows; default `demo`. */
  readonly seed?: string;
  /** Reference day, YYYY-MM-DD; default: the current day. IDs do not depend on it. */
  readonly today?: string;
  /** Called after each squad. */
  readonly onProgress?: (athletes: number) => void;
  readonly log?: { info(facts: object, message: string): void };
}

/** SQLSTATE undefined_table. */
const undefinedTable = '42P01';

interface Share {
  readonly client: pg.Client;
  readonly load: BulkLoad;
  readonly seed: AreaSeed;
  /** Creates the indexes that were dropped for the load. */
  readonly finish: () => Promise<void>;
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'seed' });
  await client.connect();
  try {
    return await work(client);
  } catch (error) {
    if (!hasErrorCode(error, undefinedTable)) throw error;
    throw new Error('The database is not migrated. Run `npm run migrate` first.', { cause: error });
  } finally {
    await client.end();
  }
}

const found = async (client: pg.Client, statement: string, values: readonly string[]): Promise<boolean> =>
  (await client.query(statement, [...values])).rowCount !== 0;

/** Rejects demo data that is complete or has other parameters. An interrupted load with the same parameters is resumed. */
async function rejectOther({ areaUrls }: SeedOptions, { account }: DemoData): Promise<void> {
  const finished = '/* seed.finished */ select from account where name = $1';
  const begun = `/* seed.begun */ select from external_id
    where resource_type = 'organization' and scheme = $1 and value = 'organization-1' and account_id <> $2`;
  const held = await Promise.all([
    withClient(areaUrls.accounts, (client) => found(client, finished, [account.name])),
    withClient(areaUrls.organizations, (client) => found(client, begun, [demoScheme, account.id])),
  ]);
  if (held.includes(true))
    throw new Error(
      'There is demo data already. To start over, stop the platform, remove its data folder (.data), and start it again.',
    );
}

/** Reference day of an interrupted load with the same parameters; null when there is none. */
async function begunOn({ areaUrls }: SeedOptions, { account }: DemoData): Promise<string | null> {
  const rows = await withClient(areaUrls.organizations, (client) =>
    client.query<{ day: string }>(
      `/* seed.begunOn */ select fingerprint as day from idempotency where account_id = $1 and operation = 'seedDemoData'`,
      [account.id],
    ),
  );
  return rows.rows[0]?.day ?? null;
}

/** From this number of athletes, indexes are created after the rows. */
const manyAthletes = 50_000;

/** The owner's URL when it is the area's database: the owner loads large tables without indexes. */
function ownerOf(area: Area, seed: AreaSeed, { areaUrls, ownerUrl, athletes }: SeedOptions): string | null {
  if (ownerUrl === undefined || athletes < manyAthletes || !seed.squad) return null;
  const placeOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;
  return placeOf(ownerUrl) === placeOf(areaUrls[area]) ? ownerUrl : null;
}

/** Starts the transaction of an area; null when an earlier run already committed the area's part. */
async function openShare(area: Area, seed: AreaSeed, options: SeedOptions, { account, today }: DemoData): Promise<Share | null> {
  const owner = ownerOf(area, seed, options);
  const client = new pg.Client({
    connectionString: owner ?? options.areaUrls[area],
    application_name: 'seed',
    // COPY and the creation of indexes take longer than the statements of the platform
    options: `-c timezone=UTC -c statement_timeout=0 ${owner === null ? '' : `-c search_path=${area},platform`}`,
  });
  // a lost connection makes the current statement fail, which reports it
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query(
    `/* seed.begin */ insert into idempotency (account_id, operation, key, fingerprint) values ($1, 'seedDemoData', 'seed', $2) on conflict do nothing`,
    [account.id, today],
  );
  if (rowCount !== 1) {
    await client.end();
    return null;
  }
  const finish = owner === null ? () => Promise.resolve() : await deferIndexes(client, seed.tables);
  return { client, seed, load: createBulkLoad(client, seed.tables), finish };
}

async function fill(shares: readonly Share[], demo: DemoData, onProgress: (athletes: number) => void): Promise<void> {
  for (const { seed, load } of shares) seed.demo?.(demo, load.add);
  let done = 0;
  for (const squads of [demo.guests(), demo.squads()]) {
    for (const squad of squads) {
      for (const { seed, load } of shares) {
        seed.squad?.(squad, demo, load.add);
        await load.flushIfFull();
      }
      done += squad.athletes.length;
      onProgress(done);
    }
  }
  await Promise.all(
    shares.map(async ({ load, finish }) => {
      await load.flush();
      await finish();
    }),
  );
}

function analyze(ownerUrl: string): Promise<void> {
  const names = seeds.flatMap(([area, seed]) => seed.tables.map((table) => `${area}.${table}`));
  return withClient(ownerUrl, async (client) => {
    // an area may have a separate database
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [names],
    );
    if (rows.length > 0) await client.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`);
  });
}

/**
 * Fills migrated databases with demo data. Every area loads in one transaction with its own role; all commit after all have succeeded.
 * @throws Error when there is already demo data. Nothing is changed then, nor after any other error.
 */
export async function seedDemoData(options: SeedOptions): Promise<void> {
  const { ownerUrl, athletes, seed = 'demo', onProgress, log } = options;
  const { today = new Date().toISOString().slice(0, 10) } = options;
  const startedAt = performance.now();
  const requested = createDemoData({ seed, athletes, today });
  await rejectOther(options, requested);
  const begun = await begunOn(options, requested);
  const demo = begun === null ? requested : createDemoData({ seed, athletes, today: begun });
  const opened = await Promise.allSettled(seeds.map(([area, share]) => openShare(area, share, options, demo)));
  const shares = opened.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []));
  try {
    for (const each of opened) if (each.status === 'rejected') throw each.reason;
    await fill(shares, demo, onProgress ?? (() => undefined));
    for (const { client } of shares) await client.query('commit');
  } finally {
    // rolls back the transactions that did not commit
    await Promise.all(shares.map(({ client }) => client.end()));
  }
  if (ownerUrl !== undefined) await analyze(ownerUrl);
  log?.info({ athletes, elapsedMs: Math.round(performance.now() - startedAt) }, 'demo data loaded');
}
