/** Takes a world's database away, as an outage does. */
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

/** Takes the world's database away: it refuses connections, and ends those it had. Resolves with how it comes back. */
export async function takeAway({ database }: TestPlatform): Promise<() => Promise<void>> {
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await maintain(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  return () => maintain(`alter database ${name} with allow_connections true`);
}
