/** `npm start` with its own PostgreSQL: it serves again after the server was killed and after a full disk, and shares the server. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createClient, type Client } from '../../client.ts';
import { createServerFolder, hasSmallDisks, mountSmallDisk, type SmallDisk } from '../../embedded-disk.ts';
import { eventually } from '../../eventually.ts';
import { endWithThisProcess, freePort } from '../../../commands/local-process.ts';

jest.setTimeout(400_000);
const root = join(import.meta.dirname, '../../..');
const recoveryMs = 60_000;
const startMs = 180_000;

let disk: SmallDisk | null = null;
let folder: string;
let environment: Record<string, string>;
let first: { readonly url: string; readonly child: ChildProcess };
let club: Client;
let key: string;
const copies: string[] = [];
const children = new Set<ChildProcess>();

async function startPlatform() {
  const port = await freePort();
  const env = { ...environment, HOST: '127.0.0.1', PORT: `${port}`, SEED: 'none', LOG_LEVEL: 'silent' };
  const child = endWithThisProcess(
    spawn(process.execPath, ['main.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    'SIGTERM',
  );
  const url = `http://127.0.0.1:${port}`;
  children.add(child);
  await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), startMs);
  return { url, child };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function killServer(): Promise<void> {
  const file = join(folder, '.data', 'postgres', 'cluster', 'data', 'postmaster.pid');
  process.kill(Number((await readFile(file, 'utf8')).split('\n')[0]), 'SIGKILL');
}

/** Starts a platform that cannot start, and returns its log. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const child = execFile(process.execPath, ['main.ts'], {
    cwd: root,
    env: { ...environment, PORT: `${await freePort()}`, ...env },
  });
  let output = '';
  child.stdout?.on('data', (chunk: string) => (output += chunk));
  expect(await once(child, 'exit')).toEqual([1, null]);
  return output;
}

const create = (name: string) =>
  club.post(
    '/organizations',
    { type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' },
    { 'idempotency-key': name },
  );
const created = (name: string): Promise<void> =>
  eventually(async () => expect(await create(name)).toMatchObject({ status: 201 }), recoveryMs);

beforeAll(async () => {
  disk = hasSmallDisks ? await mountSmallDisk(1_000) : null;
  folder = disk?.folder ?? (await createServerFolder());
  environment = { PATH: process.env['PATH'] ?? '', DATA_DIRECTORY: join(folder, '.data') };
  first = await startPlatform();
  const issue = ['commands/keys.ts', 'issue', '--account', 'Club', '--plan', 'pro', '--scopes', 'organizations:write', '--quiet'];
  const { stdout } = await promisify(execFile)(process.execPath, issue, { cwd: root, env: environment });
  key = stdout.trim();
  club = createClient({ restUrl: first.url, graphqlUrl: first.url, key });
});
afterAll(async () => {
  for (const child of children) await stop(child);
  for (const copy of copies) await rm(copy, { recursive: true });
  if (disk === null) await rm(folder, { recursive: true });
  else await disk.remove();
});

test('a killed server is restarted: acknowledged writes exist, and new ones succeed', async () => {
  const { body, status } = await create('Before');
  expect(status).toBe(201);
  await killServer();
  await created('After');
  expect((await club.get(`/organizations/${body.id}`)).body.name).toBe('Before');
  expect((await club.get('/health')).status).toBe(200);
});

test('a second `npm start` shares the server, and its end does not stop it', async () => {
  const second = await startPlatform();
  await killServer();
  await created('Shared');
  await stop(second.child);
  expect((await create('Alone')).status).toBe(201);
});

(hasSmallDisks ? test : test.skip)('after a full disk the platform serves again as soon as there is space', async () => {
  expect((await create('Stored')).status).toBe(201);
  await disk?.fill();
  await killServer();
  await eventually(async () => expect((await create('Rejected')).status).toBe(503), recoveryMs);
  await disk?.free();
  await created('Rejected');
  const { body } = await club.get('/organizations?mine=true&limit=100');
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Stored', 'Rejected']));
});

test('a lost secrets.json is not replaced, and a wrong SECRET is rejected', async () => {
  const file = join(folder, '.data', 'secrets.json');
  await rename(file, `${file}.lost`);
  expect(await failedStart({})).toMatch(/secrets\.json is missing.*Restore the file from a backup/);
  const SECRET = 'another secret with more than 32 characters';
  expect(await failedStart({ SECRET })).toMatch(/SECRET is not the secret of this database/);
  await rename(`${file}.lost`, file);
  expect((await create('Unaffected')).status).toBe(201);
});

test('a copy of the data folder of a stopped platform serves the same data to the same keys', async () => {
  const written = await create('Kept');
  expect(written).toMatchObject({ status: 201 });
  await stop(first.child);
  const copy = await createServerFolder();
  await promisify(execFile)('cp', ['-a', join(folder, '.data'), join(copy, '.data')]);
  environment = { ...environment, DATA_DIRECTORY: join(copy, '.data') };
  first = await startPlatform();
  const restored = createClient({ restUrl: first.url, graphqlUrl: first.url, key });
  expect(await restored.get(`/organizations/${written.body.id}`)).toMatchObject({ status: 200, body: { name: 'Kept' } });
  expect((await restored.get('/organizations?mine=true&limit=100')).body.data.length).toBeGreaterThan(3);
  copies.push(copy);
});
