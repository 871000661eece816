/** Makes the database of a test platform unavailable, like an outage. */
import pg from 'pg';
import type { TestPlatform } from '../../test-platform.ts';

/** Runs a statement as the cluster's owner, outside the clone. */
async function maintain(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Rejects new connections and closes existing ones. Resolves with a function that ends the outage. */
export async function stopDatabase({ database }: TestPlatform): Promise<() => Promise<void>> {
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await maintain(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  return () => maintain(`alter database ${name} with allow_connections true`);
}
