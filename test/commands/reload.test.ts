/** The supergraph of a process: SIGHUP replaces it without a failed request, and an unfit one ends the start. */
import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

/** Starts the whole platform with the schemas of a folder. */
const startAll = (port: number, ownerUrl: string, schemaFolder: string) =>
  endWithThisProcess(
    spawn(process.execPath, ['main.ts', 'all'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: ownerUrl,
        SECRET: process.env['TEST_SECRET'],
        SCHEMA_DIRECTORY: schemaFolder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    'SIGTERM',
  );

test('a process under load serves a new supergraph after SIGHUP, and keeps the current one when the new one is invalid', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'schema-'));
  await cp(join(root, 'schema/generated'), folder.path, { recursive: true });
  const database = await cloneDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startAll(port, database.ownerUrl, folder.path);
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });

  const failures: unknown[] = [];
  let requests = 0;
  const load = new AbortController();
  /** Sends requests one after the other until the end of the test. */
  async function sendRequests(send: () => Promise<Response>, isGood: (body: string) => boolean): Promise<void> {
    while (!load.signal.aborted) {
      const response = await send();
      const body = await response.text();
      requests += 1;
      if (response.status !== 200 || !isGood(body)) failures.push({ status: response.status, body });
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const graphql = (query: string): Promise<Response> =>
    fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
  const description = async (): Promise<string> => {
    const schema = await (await fetch(`${url}/graphql/schema.graphql`)).text();
    return schema.includes(after) ? 'after' : schema.includes(before) ? 'before' : 'neither';
  };
  const reload = async (message: string): Promise<void> => {
    const from = log.length;
    child.kill('SIGHUP');
    await eventually(async () => expect(await Promise.resolve(log.slice(from))).toContain(message), 180_000);
  };

  try {
    await waitForSuccess(`${url}/ready`, child);
    await withoutLimits(database.ownerUrl);
    const running = [
      sendRequests(
        () => graphql('{ plans { nodes { code } } }'),
        (body) => body.includes('"starter"'),
      ),
      sendRequests(
        () => graphql('{ organizations(first: 2) { nodes { id name } } }'),
        (body) => body.includes('"organizations"'),
      ),
      sendRequests(
        () => fetch(`${url}/api/v1/plans`),
        (body) => body.includes('"starter"'),
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
      const schema = name === 'supergraph' ? valid : await readFile(file, 'utf8');
      expect(schema).toContain(before);
      await writeFile(file, schema.replaceAll(before, after));
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

test('a process with a supergraph that a REST operation does not fit ends with the reason', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'schema-'));
  await cp(join(root, 'schema/generated'), folder.path, { recursive: true });
  for (const name of ['supergraph', 'api']) {
    const file = join(folder.path, `${name}.graphql`);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/\bdecidedBy: TieDecision/g, 'decision: TieDecision'));
  }
  const database = await cloneDatabase();
  const child = startAll(await freePort(), database.ownerUrl, folder.path);
  try {
    const [log, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(exitCode).toBe(1);
    expect(log).toContain('decidedBy');
  } finally {
    child.kill('SIGKILL');
    await database.drop();
  }
});
