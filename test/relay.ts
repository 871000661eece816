/** Holds a projection back, so that a test sees the moment before its area has heard. */
import pg from 'pg';
import type { Area } from '../schema/areas.ts';
import type { ClonedDatabase } from './database.ts';

/** Until `release` is called, the area takes no event of a consumer that it has taken events of before. */
export async function holdProjection(database: ClonedDatabase, area: Area, consumer: string) {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query(`select from ${area}.inbox where source = $1 for update`, [consumer]);
  if (rowCount !== 1) throw new Error(`${area} has taken no event as ${consumer} yet: call world.settled() first`);
  return {
    async release(): Promise<void> {
      await client.query('rollback');
      await client.end();
    },
  };
}
