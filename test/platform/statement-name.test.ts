/** The name of a statement is in pg_stat_statements, where operators look for slow statements. */
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { withInnerName } from '../../platform/database/statement-name.ts';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import { createServerFolder } from '../embedded-disk.ts';

const log = createLog({ name: 'test', level: 'silent' });

test('the name is behind the first word', () => {
  expect(withInnerName('/* athletes.byIds */\n  select id from athlete')).toBe('select /* athletes.byIds */ id from athlete');
  expect(withInnerName('/* a.b */ with x as (select 1) select from x')).toBe('with /* a.b */ x as (select 1) select from x');
  expect(withInnerName('select 1')).toBe('select 1');
});

test('pg_stat_statements lists statements with their names', async () => {
  const folder = await createServerFolder();
  const start = () => startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  const first = await start();
  await first.stop();
  const configuration = join(folder, 'postgres', 'cluster', 'data', 'postgresql.conf');
  await appendFile(configuration, `shared_preload_libraries = 'pg_stat_statements'\n`);
  const postgres = await start();
  const database = openDatabase({ url: postgres.url, name: 'test' });
  try {
    await database.query(sql`/* test.extension */ create extension pg_stat_statements`);
    await database.query(sql`/* test.listed */ select ${7}::int as number`);
    await database.query(sql`/* test.page */ select ${7}::int + 1 as number`, 'PAGE');
    const rows = await database.query<{ query: string }>(
      sql`/* test.read */ select query from pg_stat_statements where query like ${'%/* test.%'}`,
    );
    const texts = rows.map(({ query }) => query).join('\n');
    expect(texts).toContain('select /* test.listed */');
    expect(texts).toContain('/* test.page */');
  } finally {
    await database.close();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
});
