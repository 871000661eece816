/** `npm run cluster`: every service of docker-compose.yml as processes of this machine, several of some roles, and a stop without leftovers. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { endWithThisProcess } from '../../commands/local-process.ts';
import { hasRedis } from '../redis.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const command = ['commands/cluster.ts'];

test('--help describes the options, and an unknown role is wrong usage', async () => {
  const { stdout } = await run(process.execPath, [...command, '--help'], { cwd: root });
  expect(stdout).toContain('--instances LIST');
  const failed = run(process.execPath, [...command, '--instances', 'unknown=2'], { cwd: root });
  await expect(failed).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('unknown is not a role') });
});

test('two processes of a role share the work behind one rest process, and SIGINT stops every process', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'cluster-'));
  const args = [...command, '--free-ports', '--instances', 'athletes=2,router=2', ...(hasRedis ? ['--redis'] : [])];
  const env = { PATH: process.env['PATH'], DATA_DIRECTORY: folder.path, SEED: 'none', LOG_LEVEL: 'info' };
  const child = endWithThisProcess(
    spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] }),
    'SIGTERM',
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  try {
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(output);
      return Promise.resolve(expect(output).toContain('Ctrl-C stops it.'));
    }, 200_000);
    const addresses = new Map([...output.matchAll(/^ {2}(\S+) +(http:\S+)$/gm)].map(([, name = '', url = '']) => [name, url]));
    expect([...addresses.keys()]).toEqual(expect.arrayContaining(['rest', 'worker', 'sandbox', 'athletes', 'athletes-2']));
    expect((await fetch(`${addresses.get('rest') ?? ''}/api/v1/athletes`)).status).toBe(200);
    for (const url of addresses.values()) expect((await fetch(`${url}/health`)).status).toBe(200);
    // the log lines have the names of their processes
    expect(output).toMatch(/^athletes-2 +\| \{.*"msg":"athletes is ready"/m);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    for (const url of addresses.values()) await expect(fetch(`${url}/health`)).rejects.toThrow();
    // the router stops after the rest process, and before the areas
    const stopped = ['rest', 'router-2', 'athletes-2'].map((name) => output.search(new RegExp(`^${name} +\\| .*"stopped"`, 'm')));
    expect(stopped).toEqual(stopped.toSorted((one, other) => one - other));
    expect(stopped[0]).toBeGreaterThan(0);
  } finally {
    // it stops its processes
    child.kill('SIGTERM');
    await ended;
  }
});
