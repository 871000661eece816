/** The synchronization example of the SDK against separate processes, while clients and servers are killed and rows change. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openRandom } from '../../platform/random.ts';
import { createTalentClient, type TalentClient } from '../../sdk/index.ts';
import { root } from '../architecture/source.ts';
import { eventually } from '../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

const seed = process.env['SEED'] ?? String(Math.floor(Math.random() * 1e9));
const random = openRandom(seed);
const below = (limit: number): number => random.integer(0, limit - 1);

let platform: TestPlatform;
let key: string;
let client: TalentClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'synchronize-'));
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes' });
  ({ key } = await platform.account({ account: 'Partner' }));
  client = createTalentClient({ baseUrl: platform.restUrl, apiKey: key, maxRetries: 12 });
});
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

/** Starts the example. `done` resolves with its exit code, null when it was killed. */
function startExample(file: string): { readonly kill: () => void; readonly done: Promise<number | null> } {
  const args = ['examples/synchronize/main.ts', '--url', platform.restUrl, '--file', file];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', env: { ...process.env, API_KEY: key } });
  const done = once(child, 'exit').then(([code]) => code as number | null);
  return { kill: () => void child.kill('SIGKILL'), done };
}

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'] }) as const;

/** The writes so far, and whether to stop. */
interface Writing {
  count: number;
  isStopped: boolean;
}

/** Creates, renames and deletes clubs until it is stopped. */
async function write(ids: string[], writing: Writing): Promise<void> {
  for (; !writing.isStopped; writing.count += 1) {
    const { count } = writing;
    const id = ids[below(ids.length)];
    const choice = id === undefined ? 0 : below(4);
    if (id === undefined || choice <= 1) {
      const { data } = await client.POST('/organizations', { body: club(`Club ${count}`) });
      ids.push(data.id);
    } else if (choice === 2) {
      // a lost response leaves open whether the change was made
      await client
        .PATCH('/organizations/{id}', {
          params: { path: { id }, header: { 'If-Match': '*' } },
          body: { name: `Renamed ${count}` },
        })
        .catch(() => undefined);
    } else {
      ids.splice(ids.indexOf(id), 1);
      await client
        .DELETE('/organizations/{id}', { params: { path: { id }, header: { 'If-Match': '*' } } })
        .catch(() => undefined);
    }
  }
}

function copied(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select id, version, name from organization order by id').all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

test(`a copy equals the list after ten kills (SEED=${seed})`, async () => {
  if (!platform.processes) throw new Error('Separate processes are required.');
  const { stop, start } = platform.processes;
  const file = join(folder, 'copy.sqlite');
  const ids: string[] = [];
  for (let index = 0; index < 150; index++)
    ids.push((await client.POST('/organizations', { body: club(`First ${index}`) })).data.id);
  const writing: Writing = { count: 0, isStopped: false };
  const written = write(ids, writing);
  let killed = 0;
  while (killed < 10) {
    const example = startExample(file);
    await sleep(below(600));
    if (killed % 2 === 0) {
      example.kill();
      if ((await example.done) === null) killed += 1;
    } else {
      const name = ['rest', 'router', 'organizations'][below(3)] ?? '';
      await stop(name, 'SIGKILL');
      killed += 1;
      await sleep(below(300));
      await start(name);
      await example.done;
    }
  }
  // after a kill, a write waits for its next attempt
  await eventually(() => Promise.resolve(expect(writing.count).toBeGreaterThan(10)));
  writing.isStopped = true;
  await written;
  // a change is listed once the oldest running write has ended
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await startExample(file).done).toBe(0);
    await sleep(300);
  }
  const listed: unknown[] = [];
  for await (const { id, version, name } of client.items('/organizations', { query: { mine: true, limit: 100 } }))
    listed.push({ id, version, name });
  const byId = (rows: unknown[]): unknown[] => rows.map((row) => JSON.stringify(row)).sort();
  expect(listed.length).toBeGreaterThan(100);
  expect(byId(copied(file))).toEqual(byId(listed));
});
