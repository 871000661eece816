/** The database of a bench: a PostgreSQL of its own in a temporary folder, migrated, filled, with a key that no limit stops. */
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
  readonly secret: string;
  /** Of a plan with plenty. */
  readonly key: string;
  /** Stops PostgreSQL and removes the folder. */
  close(): Promise<void>;
}

const plenty = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

export interface BenchDatabaseOptions {
  /** True where the disk is part of what is measured; otherwise it is Node, and the data goes away with the bench. */
  readonly durable?: boolean;
}

/** Starts it, and fills it with so many demo athletes. */
export async function openBenchDatabase(
  athletes: number,
  { durable = false }: BenchDatabaseOptions = {},
): Promise<BenchDatabase> {
  const log = createLog({ name: 'bench', level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'talent-bench-'));
  // PostgreSQL of root runs as another account, which must pass through
  await chmod(folder, 0o711);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, durable }).catch(async (fault: unknown) => {
    await remove();
    throw fault;
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
    return { ownerUrl: postgres.url, dataDirectory, secret, key: await issueKey({ ownerUrl: postgres.url, secret }), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

/** The accounts area of the database, asked as the platform itself. */
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

/** A key of a new plan with plenty; readers without a key get plenty too. */
async function issueKey(database: Pick<BenchDatabase, 'ownerUrl' | 'secret'>): Promise<string> {
  const { ask, close } = await openAccounts(database);
  try {
    const plan = { code: 'plenty', name: 'Plenty', price: { amountMinor: 0, currency: 'EUR' }, limits: plenty, writes: true };
    await ask('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input: plan });
    await ask('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { code } }', {
      input: { limits: plenty },
    });
    const input = { accountName: 'Bench', name: 'bench', plan: 'plenty', scopes: ['competitions:write'] };
    const issued = await ask<{ readonly issueApiKey: { readonly key: string } }>(
      'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }',
      { input },
    );
    return issued.issueApiKey.key;
  } finally {
    await close();
  }
}
