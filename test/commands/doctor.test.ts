/** `npm run doctor`: good and broken deployments. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../../platform/log.ts';
import { auditPurpose, keyIdOf } from '../../platform/events/audit-digest.ts';
import { finishRotation, openSecrets, rotateSecret, validKeys } from '../../platform/security/secrets.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { certificate, certificateKey } from '../platform/test-certificate.ts';
import { freePort } from '../../commands/local-process.ts';

const root = join(import.meta.dirname, '../..');
let database: ClonedDatabase;
let folder: string;

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly fix?: string;
}

beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function run(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const env = { PATH: process.env['PATH'], DATA_DIRECTORY: folder, ...variables };
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, ['commands/doctor.ts', ...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

async function findings(
  variables: Readonly<Record<string, string>>,
): Promise<{ status: number; of: (check: string) => Finding }> {
  const { status, output } = await run(variables, '--json');
  const all: Finding[] = JSON.parse(output).findings;
  return { status, of: (check) => all.find((each) => each.check === check) ?? { check, status: 'ABSENT', detail: output } };
}

const installed = () => ({ DATABASE_URL: database.ownerUrl, SECRET: process.env['TEST_SECRET'] ?? '' });

describe('a good deployment', () => {
  test('passes, as a table and as JSON, and is not changed', async () => {
    const log = createLog({ name: 'test', level: 'silent' });
    await using router = createService({ log });
    const ROUTER_URL = await listen(router, { host: '127.0.0.1', port: 0 });
    const { status, output } = await run({ ...installed(), ROUTER_URL });
    expect(output).toMatch(/✓ PostgreSQL +version 18/);
    expect(output).toMatch(/✓ migrations +\d+ applied, none pending/);
    expect(output).toMatch(/✓ role talent_athletes +logs in with its own rights/);
    expect(output).toMatch(/✓ process router +http:\S+ is ready/);
    expect(output).toMatch(/0 failed/);
    expect(status).toBe(0);
    const { of } = await findings(installed());
    expect(of('clock of PostgreSQL')).toMatchObject({
      status: 'OK',
      detail: expect.stringMatching(/^\d+ ms from this machine$/),
    });
    expect(of('connections')).toMatchObject({ status: 'OK', detail: expect.stringMatching(/^\d+ of \d+ are used$/) });
  });

  test('without a database and a secret, their checks are skipped', async () => {
    const { of, status } = await findings({});
    expect(of('PostgreSQL')).toMatchObject({ status: 'SKIPPED' });
    expect(status).toBe(0);
  });
});

describe('a broken deployment fails with', () => {
  const cases: [string, () => Record<string, string> | Promise<Record<string, string>>, string, RegExp][] = [
    [
      'a database that does not respond',
      async () => ({ ...installed(), DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${await freePort()}/x` }),
      'PostgreSQL',
      /ECONNREFUSED/,
    ],
    ['another secret', () => ({ ...installed(), SECRET: 'x'.repeat(40) }), 'role talent_athletes', /login failed/],
    ['an invalid variable', () => ({ ...installed(), PORT: 'http' }), 'environment', /PORT must be/],
    [
      'a process that does not respond',
      async () => ({ ...installed(), ATHLETES_URL: `http://127.0.0.1:${await freePort()}` }),
      'process athletes',
      /does not respond: .*ECONNREFUSED/,
    ],
  ];
  test.each(cases)('%s', async (_, variables, check, detail) => {
    const given = await variables();
    const { status, of } = await findings(given);
    expect(of(check)).toMatchObject({ status: 'FAILED', detail: expect.stringMatching(detail), fix: expect.any(String) });
    expect(status).toBe(1);
    expect((await run(given)).output).not.toContain('hunter2');
  });

  test('pending migrations', async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    const last = "schema = 'scouting' and name = (select max(name) from platform.migration where schema = 'scouting')";
    await client.query(`delete from platform.migration where ${last}`);
    await client.end();
    expect((await findings(installed())).of('migrations')).toMatchObject({
      status: 'FAILED',
      detail: expect.stringMatching(/^1 pending, the first is scouting /),
      fix: 'Run npm run migrate.',
    });
  });

  test('a rotation of SECRET: the audit logs that the current key has not signed yet, and a database in which it is not ended', async () => {
    const current = process.env['TEST_SECRET'] ?? '';
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    const sign = (log: string, number: number, keyId: string) =>
      client.query(
        `insert into athletes.audit_digest (log, number, first, last, rows, at, previous, digest, key_id, signature)
         values ($1, $2, 1, 0, '', now(), '', '', $3, '')`,
        [log, number, keyId],
      );
    const rotated = rotateSecret(current);
    const keyIds = validKeys(openSecrets(rotated), auditPurpose).map(keyIdOf);
    const [next = '', before = ''] = keyIds;
    await sign('history', 1, before);
    await sign('history', 2, next);
    await sign('minor_access', 1, before);
    const { of } = await findings({ ...installed(), SECRET: rotated });
    expect(of('SECRET')).toMatchObject({
      status: 'WARNING',
      detail: 'version 2; 0 API keys, 0 webhook secrets, 0 second factors and 1 audit logs use an earlier version',
    });
    await sign('minor_access', 2, next);
    expect((await findings({ ...installed(), SECRET: rotated })).of('SECRET')).toMatchObject({
      status: 'WARNING',
      detail: 'version 2; nothing uses version 1',
    });
    const finished = { ...installed(), SECRET: finishRotation(rotated) };
    await client.query('update platform.secret_version set current = 2, previous = 1');
    expect((await findings(finished)).of('SECRET')).toMatchObject({
      status: 'WARNING',
      detail: 'version 2; the rotation from version 1 is not ended in the database',
      fix: 'Run npm run migrate, and restart.',
    });
    await client.query('update platform.secret_version set previous = null');
    expect((await findings(finished)).of('SECRET')).toMatchObject({ status: 'OK', detail: 'version 2' });
    await client.query('update platform.secret_version set current = 1');
    await client.query('truncate athletes.audit_digest');
    await client.end();
  });

  test('a certificate that is not trusted', async () => {
    const server = createServer({ key: certificateKey, cert: certificate }, (_, response) => void response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Cast: a server on a port has such an address.
    const { port } = server.address() as AddressInfo;
    const { of } = await findings({ PUBLIC_URL: `https://localhost:${port}` });
    expect(of(`certificate of localhost:${port}`)).toMatchObject({
      status: 'FAILED',
      detail: expect.stringContaining('not trusted'),
    });
    server.closeAllConnections();
    server.close();
  });
});

test('wrong options are rejected', async () => {
  expect(await run({}, '--all')).toMatchObject({ status: 2, output: expect.stringContaining('See --help.') });
});
