/** SIGHUP replaces the supergraph of a running process without a failed request. */
import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cloneDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { endWithThisProcess, freePort, waitForSuccess } from '../../commands/local-process.ts';

const root = join(import.meta.dirname, '..', '..');

/** The descriptions that the test replaces, by file. */
const before = 'Lists the available plans, cheapest first.';
const after = 'Lists the plans of the new supergraph.';

/** Raises the limits of callers without a key above the load of the test. */
async function withoutLimits(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `update accounts.plan set burst_per_minute = 1000000, per_day = 100000000, per_month = 100000000 where code = 'free'`,
  );
  await client.end();
}

test('a process under load serves a new supergraph after SIGHUP, and keeps the current one when the new one is invalid', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'schema-'));
  await cp(join(root, 'schema/generated'), folder.path, { recursive: true });
  const database = await cloneDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = endWithThisProcess(
    spawn(process.execPath, ['main.ts', 'all'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: database.ownerUrl,
        SECRET: process.env['TEST_SECRET'],
        SCHEMA_DIRECTORY: folder.path,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    'SIGTERM',
  );
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });

  const failures: unknown[] = [];
  let requests = 0;
  const load = new AbortController();
  /** Sends requests one after the other until the end of the test. */
  async function sendRequests(send: () => Promise<Response>, isGood: (text: string) => boolean): Promise<void> {
    while (!load.signal.aborted) {
      const response = await send();
      const text = await response.text();
      requests += 1;
      if (response.status !== 200 || !isGood(text)) failures.push({ status: response.status, text });
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const graphql = (query: string): Promise<Response> =>
    fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
  const description = async (): Promise<string> => {
    const text = await (await fetch(`${url}/graphql/schema.graphql`)).text();
    return text.includes(after) ? 'after' : text.includes(before) ? 'before' : 'neither';
  };
  const reload = async (message: string): Promise<void> => {
    const from = log.length;
    child.kill('SIGHUP');
    await eventually(async () => expect(await Promise.resolve(log.slice(from))).toContain(message), 60_000);
  };

  try {
    await waitForSuccess(`${url}/ready`, child);
    await withoutLimits(database.ownerUrl);
    const running = [
      sendRequests(
        () => graphql('{ plans { nodes { code } } }'),
        (text) => text.includes('"starter"'),
      ),
      sendRequests(
        () => graphql('{ organizations(first: 2) { nodes { id name } } }'),
        (text) => text.includes('"organizations"'),
      ),
      sendRequests(
        () => fetch(`${url}/api/v1/plans`),
        (text) => text.includes('"starter"'),
      ),
    ];
    expect(await description()).toBe('before');

    const supergraph = join(folder.path, 'supergraph.graphql');
    const valid = await readFile(supergraph, 'utf8');
    await writeFile(supergraph, valid.slice(0, valid.length / 2));
    await reload('supergraph not reloaded');
    expect(await description()).toBe('before');

    for (const name of ['supergraph', 'api']) {
      const file = join(folder.path, `${name}.graphql`);
      const text = name === 'supergraph' ? valid : await readFile(file, 'utf8');
      expect(text).toContain(before);
      await writeFile(file, text.replaceAll(before, after));
    }
    await reload('supergraph reloaded');
    expect(await description()).toBe('after');
    expect(await (await graphql('{ __type(name: "Query") { fields { name description } } }')).text()).toContain(after);

    const sent = requests;
    await eventually(async () => expect(await Promise.resolve(requests)).toBeGreaterThan(sent + 20));
    load.abort();
    await Promise.all(running);
    expect(failures).toEqual([]);
    expect(child.exitCode).toBeNull();
  } finally {
    load.abort();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    await database.drop();
  }
});
