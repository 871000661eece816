/** The database of a benchmark: a separate PostgreSQL in a temporary folder, migrated and seeded, with a key without practical limits. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdministration, type Administration } from '../commands/administration.ts';
import { seedDemoData } from '../commands/demo/load.ts';
import { openDatabase } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../platform/log.ts';
import { migrate } from '../platform/database/migrate.ts';
import { areaRole, roleUrl } from '../platform/database/roles.ts';
import { generateSecret, openSecrets } from '../platform/security/secrets.ts';
import { areas, type Area } from '../schema/areas.ts';
import { migratedAreas } from '../subgraphs/runtime/migrations.ts';

export interface BenchDatabase {
  readonly ownerUrl: string;
  readonly dataDirectory: string;
  /** The folder of PostgreSQL itself (PGDATA). */
  readonly clusterDirectory: string;
  readonly secret: string;
  /** Key of a plan with very high limits. */
  readonly key: string;
  /** Stops PostgreSQL and removes the folder. */
  close(): Promise<void>;
}

const plenty = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

export interface BenchDatabaseOptions {
  /** True where the disk is part of the measurement. Otherwise only Node is measured and PostgreSQL runs without fsync. */
  readonly durable?: boolean;
  /** Where the temporary folder is created; default: that of the system. */
  readonly parentDirectory?: string;
}

/** Starts PostgreSQL and seeds demo athletes. */
export async function openBenchDatabase(
  athletes: number,
  { durable = false, parentDirectory = tmpdir() }: BenchDatabaseOptions = {},
): Promise<BenchDatabase> {
  const log = createLog({ name: 'bench', level: 'warn' });
  const folder = await mkdtemp(join(parentDirectory, 'talent-bench-'));
  // root's PostgreSQL runs under another account, which needs access to the folder
  await chmod(folder, 0o711);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, durable }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const close = async (): Promise<void> => {
    await postgres.stop();
    await remove();
  };
  try {
    const secret = generateSecret();
    const secrets = openSecrets(secret);
    await migrate({ ownerUrl: postgres.url, areas: migratedAreas, secrets, log });
    const areaUrls = Object.fromEntries(areas.map((area) => [area, roleUrl(postgres.url, areaRole(area), secrets)]));
    await seedDemoData({ areaUrls: areaUrls as Record<Area, string>, ownerUrl: postgres.url, athletes });
    const key = await issueKey({ ownerUrl: postgres.url, secret });
    return {
      ownerUrl: postgres.url,
      dataDirectory,
      clusterDirectory: join(dataDirectory, 'cluster', 'data'),
      secret,
      key,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The accounts area of the database, called with platform rights. */
export async function openAccounts({ ownerUrl, secret }: Pick<BenchDatabase, 'ownerUrl' | 'secret'>): Promise<Administration> {
  const secrets = openSecrets(secret);
  return openAdministration({
    ownerUrl,
    secrets,
    areaDatabase: (area) =>
      Promise.resolve(openDatabase({ url: roleUrl(ownerUrl, areaRole(area), secrets), name: 'bench', poolSize: 2 })),
    close: () => Promise.resolve(),
  });
}

/** Creates a key of a new plan with very high limits, and raises the limits of anonymous callers too. */
async function issueKey(database: Pick<BenchDatabase, 'ownerUrl' | 'secret'>): Promise<string> {
  const { execute, close } = await openAccounts(database);
  try {
    const price = { amountMinor: 0, currency: 'EUR' };
    const plan = { code: 'plenty', name: 'Plenty', price, limits: plenty, writes: true, webhooks: 100, streams: 10_000 };
    await execute('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input: plan });
    await execute('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { code } }', {
      input: { limits: plenty },
    });
    const input = {
      accountName: 'Bench',
      name: 'bench',
      plan: 'plenty',
      scopes: [
        'documents:write',
        'competitions:write',
        'organizations:write',
        'athletes:write',
        'events:read',
        'requests:read',
        'scouting:read',
        'webhooks:write',
      ],
    };
    const issued = await execute<{ readonly issueApiKey: { readonly key: string } }>(
      'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }',
      { input },
    );
    return issued.issueApiKey.key;
  } finally {
    await close();
  }
}
