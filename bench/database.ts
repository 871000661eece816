/** The database of a bench: a PostgreSQL of its own in a temporary folder, migrated, filled, with a key that no limit stops. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { seedDemoData } from '../commands/demo/load.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { areaRole, roleUrl } from '../platform/roles.ts';
import { generateSecret, openSecrets, type Secrets } from '../platform/secrets.ts';
import { areas, type Area } from '../schema/areas.ts';
import { SYSTEM } from '../schema/viewer.ts';
import { migratedAreas } from '../subgraphs/migrations.ts';
import { openArea } from '../wiring/area.ts';

export interface BenchDatabase {
  readonly ownerUrl: string;
  readonly secret: string;
  /** Of a plan with plenty. */
  readonly key: string;
  /** Stops PostgreSQL and removes the folder. */
  close(): Promise<void>;
}

const plenty = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

/** Starts it without durability: what is measured is Node, and the data goes away with the bench. */
export async function openBenchDatabase(athletes: number): Promise<BenchDatabase> {
  const log = createLog({ name: 'bench', level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'talent-bench-'));
  // PostgreSQL of root runs as another account, which must pass through
  await chmod(folder, 0o711);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false }).catch(
    async (fault: unknown) => {
      await remove();
      throw fault;
    },
  );
  const close = async (): Promise<void> => {
    await postgres.stop();
    await remove();
  };
  try {
    const secret = generateSecret();
    const secrets = openSecrets(secret);
    const urlOf = (area: Area): string => roleUrl(postgres.url, areaRole(area), secrets);
    await migrate({ ownerUrl: postgres.url, areas: migratedAreas, secrets, log });
    const areaUrls = Object.fromEntries(areas.map((area) => [area, urlOf(area)])) as Record<Area, string>;
    await seedDemoData({ areaUrls, ownerUrl: postgres.url, athletes });
    return { ownerUrl: postgres.url, secret, key: await issueKey(urlOf('accounts'), secrets, log), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

/** A key of a new plan with plenty; readers without a key get plenty too. */
async function issueKey(databaseUrl: string, secrets: Secrets, log: Logger): Promise<string> {
  const graphAs = () => () => Promise.reject(new Error('plans and keys need no other area'));
  const accounts = await openArea('accounts', { databaseUrl, secrets, log, graphAs });
  const run = async (query: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const request = { query, variables: { input }, operationName: null, viewer: SYSTEM, requestId: 'bench', signal: undefined };
    const { data, errors } = await accounts.query(request);
    if (errors !== undefined || !data) throw new Error(JSON.stringify(errors));
    return data;
  };
  try {
    const plan = { code: 'plenty', name: 'Plenty', price: { amountMinor: 0, currency: 'EUR' }, limits: plenty, writes: true };
    await run('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', plan);
    await run('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { code } }', {
      limits: plenty,
    });
    const issued = await run('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', {
      accountName: 'Bench',
      name: 'bench',
      plan: 'plenty',
      scopes: ['competitions:write'],
    });
    return (issued['issueApiKey'] as { readonly key: string }).key;
  } finally {
    await accounts.close();
  }
}
