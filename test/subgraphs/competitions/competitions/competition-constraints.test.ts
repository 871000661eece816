/** Every constraint violation that a caller can cause has an API error. */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { competitionConstraints } from '../../../../subgraphs/competitions/constraints.ts';
import { cloneDatabase } from '../../../database.ts';

/** Constraints that only a defect of the platform can violate. */
const ours = ['contest_implied', 'match_participant_ordinal', 'ranking_scope'];

test('every foreign key and unique constraint that a caller can violate has an API error', async () => {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    // A foreign key with a cascade causes no violation.
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
