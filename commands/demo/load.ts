/** Loads a demo world: every area takes its share of each squad, all or nothing. */
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
import { createDemoData } from './world.ts';

/** In the order of their commits: the account comes last, so that what nobody owns is never taken for finished. */
const seeds: readonly (readonly [Area, AreaSeed])[] = [
  ['organizations', organizationsSeed],
  ['athletes', athletesSeed],
  ['competitions', competitionsSeed],
  ['opportunities', opportunitiesSeed],
  ['scouting', scoutingSeed],
  ['accounts', accountsSeed],
];

export interface SeedOptions {
  /** Each area's database, as its own role. */
  readonly areaUrls: Readonly<Record<Area, string>>;
  /** The owner, who alone may analyze and go without indexes for a while; without it autovacuum analyzes, later. */
  readonly ownerUrl?: string;
  readonly athletes: number;
  /** Equal texts and sizes give equal rows; `demo` when absent. */
  readonly seed?: string;
  /** The day the world stands at, YYYY-MM-DD; that of the clock when absent. Ids do not depend on it. */
  readonly today?: string;
  /** Told after each squad. */
  readonly onProgress?: (athletes: number) => void;
  readonly log?: { info(facts: object, message: string): void };
}

/** SQLSTATE undefined_table. */
const undefinedTable = '42P01';

interface Share {
  readonly client: pg.Client;
  readonly load: BulkLoad;
  readonly seed: AreaSeed;
  /** Makes the indexes that the load went without. */
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

/** Demo data that is finished, or that another world began: what this very world began is finished instead. */
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

/** The day that this very world stood at when it was begun; null when it was not. */
async function begunOn({ areaUrls }: SeedOptions, { account }: DemoData): Promise<string | null> {
  const rows = await withClient(areaUrls.organizations, (client) =>
    client.query<{ day: string }>(
      `/* seed.begunOn */ select fingerprint as day from idempotency where account_id = $1 and operation = 'seedDemoData'`,
      [account.id],
    ),
  );
  return rows.rows[0]?.day ?? null;
}

/** From so many athletes on, indexes are made after the rows. */
const manyAthletes = 50_000;

/** The owner's URL where that is the area's database: there the owner loads what is much, without indexes. */
function ownerOf(area: Area, seed: AreaSeed, { areaUrls, ownerUrl, athletes }: SeedOptions): string | null {
  if (ownerUrl === undefined || athletes < manyAthletes || !seed.squad) return null;
  const placeOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;
  return placeOf(ownerUrl) === placeOf(areaUrls[area]) ? ownerUrl : null;
}

/** Begins the transaction of an area; null when the area has its share: an earlier run was killed between two commits. */
async function openShare(area: Area, seed: AreaSeed, options: SeedOptions, { account, today }: DemoData): Promise<Share | null> {
  const owner = ownerOf(area, seed, options);
  const client = new pg.Client({
    connectionString: owner ?? options.areaUrls[area],
    application_name: 'seed',
    options: `-c timezone=UTC ${owner === null ? '' : `-c search_path=${area},platform`}`,
  });
  // a lost connection fails the statement under way, which tells it
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
    // an area may live in a database of its own
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [names],
    );
    if (rows.length > 0) await client.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`);
  });
}

/**
 * Fills migrated databases with a demo world. Every area loads in one transaction with its own role; they commit when all have succeeded.
 * @throws Error when there is demo data already; nothing is changed then, nor after any other error.
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
    // ends the transactions that did not commit
    await Promise.all(shares.map(({ client }) => client.end()));
  }
  if (ownerUrl !== undefined) await analyze(ownerUrl);
  log?.info({ athletes, elapsedMs: Math.round(performance.now() - startedAt) }, 'demo data loaded');
}
