/** `npm run admin` as a separate process, and the setup link of the first start. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { publishSetupLink } from '../../commands/first-administrator.ts';
import type { CreatedSetupLink, Sessions } from '../../router/administration/sessions.ts';
import { postSameOrigin, withCookie } from '../administrator.ts';
import { eventually } from '../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = join(import.meta.dirname, '..', '..');
let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

function admin(...args: string[]): Promise<Ended> {
  const { ownerUrl: DATABASE_URL } = platform.database;
  const env = { DATABASE_URL, SECRET: process.env['TEST_SECRET'] ?? '', PUBLIC_URL: platform.graphqlUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'commands', 'admin.ts'), ...args], { env, cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** The token in the only line that is a link. */
function tokenOf({ stdout }: Pick<Ended, 'stdout'>): string {
  const [, token = ''] = new RegExp(`^${platform.graphqlUrl}/admin/setup#([\\w-]{43})\n$`).exec(stdout) ?? [];
  return token;
}
const setUp = (token: string, more: object = {}) =>
  postSameOrigin(platform.graphqlUrl, '/admin/setup', { token, password: 'correct horse battery', ...more });
const grace = { name: 'Grace', email: 'grace@example.com' };

/** Runs a start on the platform, with its log. */
async function start(folder: string): Promise<string> {
  const logged: unknown[] = [];
  const log = { info: (...words: unknown[]) => logged.push(words), warn: (...words: unknown[]) => logged.push(words) };
  const createSetupLink: Sessions['createSetupLink'] = async () => {
    const created = await platform.administer('mutation { createSetupLink { setupPath expiresAt } }');
    return created['createSetupLink'] as CreatedSetupLink | null;
  };
  const source = { DATA_DIRECTORY: folder, PUBLIC_URL: platform.graphqlUrl };
  // only the log methods used here
  const hasAdministrators = async () => (await platform.administer('{ hasAdministrators }'))['hasAdministrators'] === true;
  await publishSetupLink(
    { createSetupLink, hasAdministrators },
    { source, port: 4321, isTerminal: false, log, checkEveryMs: 50 },
  );
  return JSON.stringify(logged);
}

test('an empty platform prints a message', async () => {
  expect((await admin('list')).stdout).toContain('This platform has no administrators');
});

test('without a terminal the start writes the link to a file with mode 0600, until there is an administrator', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'link-'));
  const file = join(folder.path, 'admin-setup-link');
  await start(folder.path);
  const first = tokenOf({ stdout: await readFile(file, 'utf8') });
  const logged = await start(folder.path);
  const second = tokenOf({ stdout: await readFile(file, 'utf8') });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(logged).toContain(file);
  expect(logged).not.toContain(second);
  const readSetupLink = (token: string) => postSameOrigin(platform.graphqlUrl, '/admin/setup/look', { token });
  expect([(await readSetupLink(first)).status, (await readSetupLink(second)).status]).toEqual([410, 200]);

  expect((await setUp(tokenOf(await admin('setup')), grace)).status).toBe(200);
  // also without another start
  await eventually(async () => void (await expect(stat(file)).rejects.toThrow('ENOENT')));
  expect(await start(folder.path)).toBe('[]');
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('list, reset and disable restore and remove access', async () => {
  const entered = await postSameOrigin(platform.graphqlUrl, '/admin/session', {
    email: grace.email,
    password: 'correct horse battery',
  });
  expect(entered.body).toMatchObject({ state: 'SIGNED_IN', administrator: { role: 'OWNER', email: grace.email } });
  expect(await admin('setup')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already') });
  expect((await admin('list')).stdout).toMatch(/grace@example.com +Grace +OWNER +ACTIVE +20/);

  const cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const session = withCookie(platform.graphqlUrl, cookie);
  expect((await session.graphql('{ plans { nodes { code } } }')).status).toBe(200);
  const reset = await setUp(tokenOf(await admin('reset', 'GRACE@example.com')), { password: 'staple battery horse' });
  expect(reset.status).toBe(200);
  expect((await session.graphql('{ plans { nodes { code } } }')).status).toBe(401);

  expect(await admin('disable', grace.email)).toMatchObject({ code: 1, stderr: expect.stringContaining('last active owner') });
  const viewer = await platform.administrator('VIEWER');
  expect(await admin('disable', viewer.email, '--reason', 'left')).toMatchObject({ code: 0 });
  expect((await viewer.graphql('{ plans { nodes { code } } }')).status).toBe(401);
});

test.each([
  [[], 2, 'Name an action'],
  [['promote'], 2, 'no action'],
  [['reset'], 2, 'is missing'],
  [['reset', 'unknown@example.com'], 1, 'There is no administrator'],
  [['list', '--all'], 2, 'See --help'],
])('admin %j exits with %i and a message', async (args, code, words) => {
  expect(await admin(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
});

test('--help needs no database', async () => {
  const child = spawn(process.execPath, ['commands/admin.ts', '--help'], {
    cwd: root,
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const texts: string[] = [];
  child.stdout.on('data', (text: Buffer) => texts.push(String(text)));
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(texts.join('')).toContain('npm run admin -- reset EMAIL');
});
