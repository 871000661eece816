/** Blocks a projection, so that tests can check the state before an event is projected. */
import pg from 'pg';
import type { Area } from '../schema/areas.ts';
import type { ClonedDatabase } from './database.ts';

/** Until `release` is called, blocks the events of a known consumer of the area. */
export async function blockProjection(database: ClonedDatabase, area: Area, consumer: string) {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query(`select from ${area}.inbox where source = $1 for update`, [consumer]);
  if (rowCount !== 1) throw new Error(`${area} has processed no event as ${consumer} yet: call platform.settled() first`);
  return {
    async release(): Promise<void> {
      await client.query('rollback');
      await client.end();
    },
  };
}
