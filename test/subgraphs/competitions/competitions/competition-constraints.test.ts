/** Whatever the database of competitions refuses because of other rows is told to the caller in words. */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { competitionConstraints } from '../../../../subgraphs/competitions/constraints.ts';
import { cloneDatabase } from '../../../database.ts';

/** What only a fault of ours can violate: callers name none of it. */
const ours = ['contest_implied', 'match_participant_ordinal', 'ranking_scope'];

test('every foreign key and unique constraint that a caller can meet has a row in the table of constraints', async () => {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    // A key that deletes what refers is never in the way.
    const { rows } = await client.query<{ name: string }>(`
      select conname as name from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.connamespace = 'competitions'::regnamespace and contype = 'f' and confdeltype = 'a'
      union select i.indexrelid::regclass::text from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'competitions'::regnamespace and indisunique and not indisprimary
        and t.relname not in ('external_id', 'history', 'idempotency', 'inbox', 'outbox', 'tombstone')
      order by 1`);
    const names = rows.map(({ name }) => name.replace('competitions.', '')).filter((name) => !ours.includes(name));
    expect(names.length).toBeGreaterThan(25);
    expect(names.filter((name) => !Object.hasOwn(competitionConstraints, name))).toEqual([]);
  } finally {
    await client.end();
    await database.drop();
  }
});
