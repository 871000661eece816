/** Migrates the database before the platform starts, and seeds an empty embedded database with demo data. */
import pg from 'pg';
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { migrate } from '../platform/database/migrate.ts';
import { resealValues } from '../subgraphs/accounts/secret-rotation.ts';
import { migratedAreas } from '../subgraphs/runtime/migrations.ts';
import { databaseUrls } from '../wiring/database-urls.ts';
import { seedVariables, type Source } from '../wiring/environment.ts';
import type { Installation } from '../wiring/installation.ts';

/** True when the platform has no account. Seeding and key creation both write an account, and seeding commits it last. */
async function isUnused(accountsUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: accountsUrl, application_name: 'first-start' });
  await client.connect();
  try {
    const { rowCount } = await client.query('/* firstStart.isUnused */ select from account limit 1');
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

/** Applies migrations. An external database is never seeded. */
export async function prepareDatabase(
  { directUrl, secrets, embedded }: Installation,
  source: Source,
  log: Logger,
): Promise<void> {
  const { SEED: athletes } = readEnvironment(source, seedVariables);
  await migrate({ ownerUrl: directUrl, areas: migratedAreas, secrets, log });
  await resealValues(directUrl, secrets);
  if (!embedded || athletes === 0) return;
  const { areas: areaUrls } = databaseUrls(source, directUrl, secrets);
  if (!(await isUnused(areaUrls.accounts))) return;
  log.info({ athletes }, 'filling the new database with demo data (SEED=none starts without)');
  const { seedDemoData } = await import('./demo/load.ts');
  await seedDemoData({ areaUrls, ownerUrl: directUrl, athletes, log });
}
