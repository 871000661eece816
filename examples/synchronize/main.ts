/** Keeps a copy of your organizations in a SQLite file, with the TypeScript SDK. It can be killed at any moment. */
// The example is written like a program of a partner, so it reads its environment directly.
import { DatabaseSync } from 'node:sqlite';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { createTalentClient, type SynchronizationPosition } from '../../sdk/index.ts';

const help = `Usage: npm run synchronize -- --key KEY [--url http://localhost:4000] [--file organizations.sqlite]

Reads what has changed in your organizations since the last call, and writes it to a SQLite file. The first call reads everything.
Run it periodically. The key can also be in API_KEY.

Exit codes: 0 success, 1 failure, 2 invalid usage.`;

/** The position in the file; null before the first page. */
function storedPosition(database: DatabaseSync): SynchronizationPosition | null {
  const row = database.prepare('select updated_since, cursor from position').get();
  const { updated_since: updatedSince, cursor } = row ?? {};
  if (typeof updatedSince !== 'string') return null;
  return { updatedSince, cursor: typeof cursor === 'string' ? cursor : null };
}

async function synchronize(url: string, apiKey: string, file: string): Promise<void> {
  const client = createTalentClient({ baseUrl: url, apiKey });
  const database = new DatabaseSync(file);
  database.exec(`
    create table if not exists organization (id text primary key, version integer not null, name text not null);
    create table if not exists position (one integer primary key check (one = 1), updated_since text not null, cursor text);
  `);
  const upsert = database.prepare('insert or replace into organization (id, version, name) values (?, ?, ?)');
  const remove = database.prepare('delete from organization where id = ?');
  const move = database.prepare('insert or replace into position (one, updated_since, cursor) values (1, ?, ?)');
  const changes = client.changes('/organizations', {
    position: storedPosition(database),
    query: { mine: true, fields: ['id', 'version', 'name'] },
  });
  for await (const { items, deletedIds, position } of changes) {
    // the rows and the position are stored together, or not at all
    database.exec('begin');
    for (const { id, version, name } of items) upsert.run(id ?? '', version ?? 0, name ?? '');
    for (const id of deletedIds) remove.run(id);
    move.run(position.updatedSince, position.cursor);
    database.exec('commit');
    console.log(`${items.length} changed, ${deletedIds.length} deleted`);
  }
  database.close();
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string', default: 'http://localhost:4000' },
      key: { type: 'string', default: env.API_KEY ?? '' },
      file: { type: 'string', default: 'organizations.sqlite' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (values.key === '') {
    console.error('Send a key with --key or API_KEY. See --help.');
    return 2;
  }
  await synchronize(values.url, values.key, values.file);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
