/** Brings the database to this version before the platform opens, and fills a fresh one of our own with demo data. */
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { migrate } from '../platform/migrate.ts';
import { migratedAreas } from '../subgraphs/migrations.ts';
import { databaseUrls, seedVariables, type Source } from './environment.ts';
import type { Installation } from './installation.ts';

/** Migrates; an external database is never seeded. */
export async function prepareDatabase({ ownerUrl, secrets, embedded }: Installation, source: Source, log: Logger): Promise<void> {
  const { applied } = await migrate({ ownerUrl, areas: migratedAreas, secrets, log });
  const { SEED } = readEnvironment(source, seedVariables);
  const fresh = applied.length > 0 && applied.some((name) => name.includes('0001-accounts'));
  if (!embedded || !fresh || SEED === 'none') return;
  const { seedDemoData } = await import('../commands/seed.ts');
  await seedDemoData({ areaUrls: databaseUrls(source, ownerUrl, secrets).areas, athletes: Number(SEED), log });
}
