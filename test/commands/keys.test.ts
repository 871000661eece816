/** `npm run keys` and `npm run migrate` as separate processes, against the database in DATABASE_URL. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { parseApiKey } from '../../platform/security/api-key.ts';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { routerRole } from '../../platform/database/roles.ts';
import { createKeyCheck } from '../../router/admission/key-check.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = join(import.meta.dirname, '..', '..');
let cloned: ClonedDatabase;
let router: Database;
let environment: Record<string, string>;

beforeAll(async () => {
  cloned = await cloneDatabase();
  router = openDatabase({ url: cloned.urlAs(routerRole), name: 'test-router', poolSize: 2 });
  environment = { DATABASE_URL: cloned.ownerUrl, SECRET: process.env.TEST_SECRET ?? '' };
});
afterAll(async () => {
  await router.close();
  await cloned.drop();
});

function run(command: string, args: readonly string[], env: Record<string, string> = environment): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'commands', `${command}.ts`), ...args], { env, cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const keys = (...args: string[]): Promise<Ended> => run('keys', args);
const check = (key: string) =>
  createKeyCheck(router, cloned.secrets).check({
    credentials: [key],
    address: '203.0.113.7',
    host: 'localhost',
    requestId: 'test',
    traceparent: null,
  });

test('issue prints a key that works, once, with a line to try it', async () => {
  const options = [
    '--account',
    'Acme FC',
    '--plan',
    'pro',
    '--scopes',
    'athletes:write,organizations:write',
    '--name',
    'importer',
    '--expires',
    '90d',
    '--allow',
    '203.0.113.0/24',
  ];
  const { code, stdout } = await keys('issue', ...options);
  expect(code).toBe(0);
  const key = /^ {2}(sp_live_\S+)$/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toContain(`curl -H "x-api-key: ${key}" http://localhost:4000/api/v1/me`);
  const holder = await check(key);
  expect(holder?.viewer).toMatchObject({ plan: 'pro', scopes: ['athletes:write', 'organizations:write'] });

  const listed = await keys('list', '--account', 'acme fc', '--status', 'active');
  expect(listed.stdout).toContain(holder?.viewer.keyId ?? 'no id');
  expect(listed.stdout).toMatch(/Acme FC +importer +pro +ACTIVE/);
  expect(listed.stdout).not.toContain(parseApiKey(key)?.secret ?? 'no secret');
});

test('an expiry on a day that does not exist is rejected, not shifted', async () => {
  const issue = (expires: string) => keys('issue', '--account', 'Leap FC', '--plan', 'free', '--expires', expires);
  for (const expires of ['2027-02-30', '2027-02-29T12:00:00Z'])
    expect(await issue(expires)).toMatchObject({ code: 2, stdout: '' });
});

test('--quiet prints only the key; revoke rejects it and confirms', async () => {
  const issued = await keys('issue', '--account', 'Quiet FC', '--plan', 'free', '--quiet');
  const key = issued.stdout.trim();
  expect(parseApiKey(key)).not.toBeNull();
  const publicId = parseApiKey(key)?.publicId ?? '';
  const revoked = await keys('revoke', publicId, '--reason', 'leaked');
  expect(revoked).toMatchObject({ code: 0, stdout: `${publicId} is revoked.\n` });
  await expect(check(key)).rejects.toMatchObject({ code: 'api_key_revoked' });
  expect(await keys('revoke', publicId, '--reason', 'again')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot revoke'),
  });
  expect(await keys('list', '--account', 'Quiet FC', '--status', 'active')).toMatchObject({
    code: 0,
    stdout: 'There are no such keys.\n',
  });
});

test('rotate, move and disable print one line each', async () => {
  const issued = await keys('issue', '--account', 'Turning FC', '--plan', 'pro', '--quiet');
  const old = issued.stdout.trim();
  const publicId = parseApiKey(old)?.publicId ?? '';
  const rotated = await keys('rotate', old, '--grace', '0');
  expect(rotated).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`The successor of ${publicId}, which is revoked.`),
  });
  await expect(check(old)).rejects.toMatchObject({ code: 'api_key_revoked' });
  const key = /^ {2}(sp_live_\S+)$/m.exec(rotated.stdout)?.[1] ?? '';
  const successor = parseApiKey(key)?.publicId ?? '';
  const moved = await keys('move', '--account', 'Turning FC', '--plan', 'starter');
  expect(moved.stdout).toMatch(
    new RegExp(`^${successor} is on the plan "pro", and on "starter" from \\d{4}-\\d\\d-01T00:00:00.000Z.\n$`),
  );
  expect(await keys('disable', successor)).toMatchObject({ code: 0, stdout: `${successor} is disabled.\n` });
  await expect(check(key)).rejects.toMatchObject({ code: 'api_key_disabled' });
});

test('a rejected command prints a sentence, exits with code 1 and writes nothing', async () => {
  const rejection = async (...args: string[]) => {
    const { code, stderr } = await keys('issue', '--account', 'Unknown', ...args);
    expect([args, code, stderr.includes('    at ')]).toEqual([args, 1, false]);
    return stderr;
  };
  expect(await rejection('--plan', 'gold')).toContain('There is no plan with the code "gold".');
  expect(await rejection('--plan', 'free', '--scopes', 'athletes:write')).toContain('does not include write access');
  expect(await rejection('--plan', 'pro', '--scopes', 'a,b')).toMatch(/"a".*\n.*"b"/);
  expect(await rejection('--plan', 'pro', '--name', 'x'.repeat(101))).toContain('name');
  const [accounts] = await router.query<{ issued: number }>(
    sql`/* test.keys */ select count(*)::int as issued from accounts.router_key where plan_code = 'gold'`,
  );
  expect(accounts?.issued).toBe(0);
  expect(await keys('list', '--account', 'Unknown')).toMatchObject({ code: 1, stderr: 'There is no account named "Unknown".\n' });
  for (const publicId of ['sp_live_000000000000', 'sp_live_nix'])
    expect(await keys('revoke', publicId, '--reason', 'x')).toMatchObject({ code: 1, stderr: `There is no key ${publicId}.\n` });
});

test('wrong usage exits with code 2 and refers to --help', async () => {
  for (const args of [
    [],
    ['rotate'],
    ['rotate', 'sp_live_000000000000', '--grace', '8d'],
    ['move', 'sp_live_000000000000', '--plan', 'pro', '--when', 'soon'],
    ['issue'],
    ['issue', '--account', 'A'],
    ['issue', '--acount', 'A'],
    ['revoke'],
    ['list', '--status', 'unknown'],
    ['issue', '--account', 'A', '--plan', 'pro', '--expires', 'soon'],
  ]) {
    const { code, stderr } = await keys(...args);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toContain('See --help.');
  }
  for (const args of [['--help'], ['issue', '--help'], ['revoke', '-h']])
    expect(await keys(...args)).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
});

test('without a platform the error explains how to start one', async () => {
  const nowhere = await run('keys', ['list'], { DATA_DIRECTORY: join(root, 'test', 'nowhere') });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
  const keyless = await run('keys', ['list'], { DATABASE_URL: cloned.ownerUrl });
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRET is required') });
  const other = await run('keys', ['list'], { DATABASE_URL: cloned.ownerUrl, SECRET: 'x'.repeat(43) });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run migrate') });
});

test('migrate brings an empty database to this version, and a second run changes nothing', async () => {
  const name = `${new URL(cloned.ownerUrl).pathname.slice(1)}_fresh`;
  const owner = new pg.Client({ connectionString: cloned.ownerUrl });
  await owner.connect();
  try {
    await owner.query(`create database ${name}`);
    const url = new URL(cloned.ownerUrl);
    url.pathname = `/${name}`;
    const fresh = { ...environment, DATABASE_URL: url.href };
    const first = await run('migrate', [], fresh);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('applied accounts accounts/0001-accounts.sql') });
    expect(await run('migrate', [], fresh)).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
    expect(await run('keys', ['issue', '--account', 'A', '--plan', 'free', '--quiet'], fresh)).toMatchObject({ code: 0 });
  } finally {
    await owner.query(`drop database if exists ${name} with (force)`);
    await owner.end();
  }
  expect(await run('migrate', ['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  expect(await run('migrate', ['--down'])).toMatchObject({ code: 2 });
});
