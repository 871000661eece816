/** A rotation of SECRET, from `npm run secrets -- rotate` to `finish`, on an installation with its own database. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { endWithThisProcess, freePort } from '../../commands/local-process.ts';
import { createClient, type Client } from '../client.ts';
import { createServerFolder } from '../embedded-disk.ts';
import { eventually } from '../eventually.ts';
import { createEndpoint } from '../stories/webhooks/fixture.ts';
import { openReceiver, verify, type Receiver } from '../stories/webhooks/receiver.ts';

jest.setTimeout(400_000);
const root = join(import.meta.dirname, '../..');

let folder: string;
let environment: Record<string, string>;
let platform: ChildProcess;
let url: string;
let receiver: Receiver;

/** Starts the platform with the secret in its file. */
async function startPlatform(): Promise<void> {
  const env = { ...environment, HOST: '127.0.0.1', PORT: new URL(url).port, SEED: 'none', LOG_LEVEL: 'silent' };
  platform = endWithThisProcess(
    spawn(process.execPath, ['main.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    'SIGTERM',
  );
  await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), 180_000);
}

async function stopPlatform(): Promise<void> {
  const ended = once(platform, 'exit');
  platform.kill('SIGTERM');
  await ended;
}

async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`commands/${command}.ts`, ...args], {
    cwd: root,
    env: environment,
  });
  return stdout.trim();
}

async function issueKey(account: string): Promise<Client> {
  const scopes = 'organizations:write,webhooks:write';
  const key = await run('keys', 'issue', '--account', account, '--plan', 'pro', '--scopes', scopes, '--quiet');
  return createClient({ restUrl: url, graphqlUrl: url, key });
}

const changeSecret = (step: string): Promise<string> =>
  run('secrets', step, '--file', join(environment['DATA_DIRECTORY'] ?? '', 'secrets.json'));

/** What the doctor reports about SECRET. */
async function secretFinding(): Promise<string> {
  const { findings } = JSON.parse(await run('doctor', '--json'));
  return findings.find(({ check }: { check: string }) => check === 'SECRET').detail;
}

beforeAll(async () => {
  folder = await createServerFolder();
  environment = { PATH: process.env['PATH'] ?? '', DATA_DIRECTORY: join(folder, '.data'), WEBHOOKS_ALLOW_LOCAL: 'true' };
  url = `http://127.0.0.1:${await freePort()}`;
  receiver = await openReceiver();
  await startPlatform();
});
afterAll(async () => {
  await stopPlatform();
  await receiver.close();
  await rm(folder, { recursive: true });
});

test('keys, cursors and webhooks work with both secrets during a rotation; afterwards only what was moved works', async () => {
  const used = await issueKey('Used');
  const unused = await issueKey('Unused');
  const create = async (name: string): Promise<void> => {
    const club = { type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    expect((await used.post('/organizations', club)).status).toBe(201);
  };
  for (const name of ['One', 'Two']) await create(name);
  const { secret } = await createEndpoint(used, receiver, { types: ['organization.created'] });
  const { body } = await used.get('/organizations?limit=1');
  const page = `/organizations?limit=1&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  expect(await secretFinding()).toBe('version 1');

  await stopPlatform();
  await changeSecret('rotate');
  await expect(changeSecret('rotate')).rejects.toThrow('The last rotation is not finished');
  await startPlatform();
  expect(await secretFinding()).toBe('version 2; 2 API keys, 0 webhook secrets and 0 second factors use an earlier version');
  expect((await used.get(page)).body.data).toHaveLength(1);
  await create('Three');
  await receiver.received(1);
  for (const request of receiver.requests) verify(secret, request);
  // the hash of a key follows its use
  await eventually(async () => expect(await secretFinding()).toContain('1 API keys'));

  await stopPlatform();
  await changeSecret('finish');
  await expect(changeSecret('finish')).rejects.toThrow('no rotation is in progress');
  await startPlatform();
  await create('Four');
  expect((await used.get(page)).body.code).toBe('cursor_invalid');
  expect((await unused.get('/organizations')).body.code).toBe('api_key_invalid');
  await receiver.received(2);
  for (const request of receiver.requests) verify(secret, request);
});
