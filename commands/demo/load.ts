/** Loads a demo world: every area takes its share of each squad, all or nothing. */
import pg from 'pg';
import { createBulkLoad, type BulkLoad } from '../../platform/bulk-load.ts';
import type { Area } from '../../schema/areas.ts';
import { demoScheme, type DemoWorld } from '../../schema/demo.ts';
import { accountsSeed } from '../../subgraphs/accounts/seed.ts';
import { athletesSeed } from '../../subgraphs/athletes/seed.ts';
import { competitionsSeed } from '../../subgraphs/competitions/seed.ts';
import { opportunitiesSeed } from '../../subgraphs/opportunities/seed.ts';
import { organizationsSeed } from '../../subgraphs/organizations/seed.ts';
import { scoutingSeed } from '../../subgraphs/scouting/seed.ts';
import type { AreaSeed } from '../../subgraphs/seed.ts';
import { createDemoWorld } from './world.ts';

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
  /** The owner, who alone may analyze; without it autovacuum does so, later. */
  readonly ownerUrl?: string;
  readonly athletes: number;
  /** Equal texts and sizes give equal rows; `demo` when absent. */
  readonly seed?: string;
  /** Told after each squad. */
  readonly onProgress?: (athletes: number) => void;
  readonly log?: { info(facts: object, message: string): void };
}

interface Share {
  readonly client: pg.Client;
  readonly load: BulkLoad;
  readonly seed: AreaSeed;
}

async function openShare(url: string, seed: AreaSeed): Promise<Share> {
  const client = new pg.Client({ connectionString: url, application_name: 'seed', options: '-c timezone=UTC' });
  // a lost connection fails the statement under way, which tells it
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  return { client, seed, load: createBulkLoad(client, seed.tables) };
}

/** True when an earlier run left its organizations. */
async function holdsDemoData(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'seed' });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "/* seed.exists */ select from external_id where resource_type = 'organization' and scheme = $1 and value = 'organization-1'",
      [demoScheme],
    );
    return rowCount !== 0;
  } finally {
    await client.end();
  }
}

async function fill(shares: readonly Share[], world: DemoWorld, onProgress: (athletes: number) => void): Promise<void> {
  for (const { seed, load } of shares) seed.world?.(world, load.add);
  let done = 0;
  for (const squad of world.squads()) {
    for (const { seed, load } of shares) {
      seed.squad?.(squad, world, load.add);
      await load.relieve();
    }
    done += squad.athletes.length;
    onProgress(done);
  }
  await Promise.all(shares.map(({ load }) => load.flush()));
}

async function analyze(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'seed' });
  await client.connect();
  try {
    const names = seeds.flatMap(([area, seed]) => seed.tables.map((table) => `${area}.${table}`));
    // an area may live in a database of its own
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [names],
    );
    if (rows.length > 0) await client.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
  } finally {
    await client.end();
  }
}

/**
 * Fills migrated databases with a demo world. Every area loads in one transaction with its own role; they commit when all have succeeded.
 * @throws Error when there is demo data already; nothing is changed then, nor after any other fault.
 */
export async function seedDemoData({ areaUrls, ownerUrl, athletes, seed = 'demo', onProgress, log }: SeedOptions): Promise<void> {
  const startedAt = performance.now();
  if (await holdsDemoData(areaUrls.organizations))
    throw new Error(
      'There is demo data already. To start over, stop the platform, remove its data folder (.data), and start it again.',
    );
  const world = createDemoWorld({ seed, athletes });
  const opened = await Promise.allSettled(seeds.map(([area, share]) => openShare(areaUrls[area], share)));
  const shares = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of opened) if (each.status === 'rejected') throw each.reason;
    await fill(shares, world, onProgress ?? (() => undefined));
    for (const { client } of shares) await client.query('commit');
  } finally {
    // ends the transactions that did not commit
    await Promise.all(shares.map(({ client }) => client.end()));
  }
  if (ownerUrl !== undefined) await analyze(ownerUrl);
  log?.info({ athletes, elapsedMs: Math.round(performance.now() - startedAt) }, 'demo data loaded');
}
