/** A start that cannot succeed prints every error as a sentence, without a stack trace, before it creates anything. */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');

/** Starts the platform and resolves with its exit code and output. */
function start(env: Record<string, string>, role = 'all'): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { PATH: process.env['PATH'], ...env }, timeout: 30_000 };
    const child = execFile(process.execPath, ['main.ts', role], options, (_, out, err) => {
      resolve({ code: child.exitCode, out, err });
    });
  });
}

test('all environment errors are reported together', async () => {
  const { code, out, err } = await start({ PORT: 'abc', SEED: 'x', LOG_LEVEL: 'zz' });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd().split('\n')).toEqual([
    'Invalid environment:',
    expect.stringMatching(/^ {2}LOG_LEVEL must be fatal/),
    expect.stringMatching(/^ {2}PORT must be whole number from 0 to 65535/),
    expect.stringMatching(/^ {2}SEED must be whole number from 0, or none/),
  ]);
});

test('a missing variable of a role is reported in one line', async () => {
  const { code, out, err } = await start({ PORT: '0' }, 'athletes');
  expect({ code, lines: out.trimEnd().split('\n').length, err }).toEqual({ code: 1, lines: 1, err: '' });
  expect(JSON.parse(out)).toMatchObject({ level: 60, msg: expect.stringContaining('KEYS is required') });
  expect(out).not.toContain('stack');
});

test('a port in use is reported in one line, before the database is created', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'start-'));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, out } = await start({ HOST: '127.0.0.1', PORT: `${port}`, DATA_DIRECTORY: folder.path });
  server.close();
  expect({ code, lines: out.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(JSON.parse(out)).toMatchObject({
    level: 60,
    msg: `Port ${port} of 127.0.0.1 is already in use. Stop the process that uses it, or choose another port.`,
  });
  expect(out).not.toContain('stack');
  expect(await readdir(folder.path)).toEqual([]);
});
