/** `npm run audit -- verify` as a separate process, and the rights that keep the audit logs append-only. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../platform/database/database.ts';
import { areaRole, relayRole } from '../../platform/database/roles.ts';
import { auditSteps } from '../../platform/events/audit-digest.ts';
import { historyLog, verifyLog } from '../../platform/events/audit-verification.ts';
import { createLog } from '../../platform/log.ts';
import { areas } from '../../schema/areas.ts';
import type { Client } from '../client.ts';
import { queryRows } from '../rows.ts';
import { createMinor, verifiedAccount } from '../stories/athletes/minors-fixture.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = join(import.meta.dirname, '..', '..');
let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let agency: Client;
let minorId: string;

/** Runs a statement as the owner of the database, a superuser. */
const own = (statement: string, values?: unknown[]) => queryRows(platform.database, statement, values);

beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  minorId = await createMinor(owner, ['PROFILE']);
  expect((await agency.get(`/athletes/${minorId}`)).body.restricted).toBe(false);
  // digests cover days that have ended
  await own('update athletes.minor_access set day = day - 3');
});
afterAll(() => platform.close());
/** Each test starts with a chain that covers everything. */
beforeEach(async () => {
  for (const area of areas) await own(`truncate ${area}.audit_digest`);
  await platform.maintain();
});

function audit(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const { ownerUrl: DATABASE_URL } = platform.database;
  const env = { DATABASE_URL, SECRET: process.env['TEST_SECRET'] ?? '', ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'commands', 'audit.ts'), ...args], { env, cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
const verify = (...args: string[]): Promise<Ended> => audit(['verify', ...args]);

const firstRow = async (table: string): Promise<string> => String((await own(`select id from ${table} limit 1`))[0]?.['id']);
const heads = ({ stdout }: Ended): string[] => stdout.match(/[0-9a-f]{64}/g) ?? [];

test('the role of an area adds entries, and can neither change nor delete them', async () => {
  const attempts: [string, string][] = [
    ...areas.flatMap((area): [string, string][] => [
      [area, "update history set action = 'x'"],
      [area, 'delete from history'],
      [area, 'truncate history'],
      [area, 'delete from audit_digest'],
      [area, "insert into audit_digest select 'history', 9, 9, 9, '', now(), '', '', '', ''"],
      [area, "select audit_append('history', 9, 9, 9, '', now(), '', '', '', '')"],
      [area, "insert into audit_history_erasure (id, resource_type, resource_id) select id, '', id from history"],
      [area, 'delete from audit_history_erasure'],
    ]),
    ['athletes', 'update minor_access set reads = 0'],
    ['athletes', 'delete from minor_access'],
    ['athletes', 'insert into audit_minor_access_erasure (id) select id from minor_access'],
  ];
  for (const [area, statement] of attempts) {
    const client = new pg.Client({ connectionString: platform.database.urlAs(areaRole(area)) });
    await client.connect();
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  }
  const relay = new pg.Client({ connectionString: platform.database.urlAs(relayRole) });
  await relay.connect();
  for (const statement of [
    'select from athletes.history',
    'delete from athletes.audit_digest',
    'select from athletes.minor_access',
  ])
    await expect(relay.query(statement)).rejects.toMatchObject({ code: '42501' });
  await relay.end();
});

test('the history of every area and the access log are covered by digests', async () => {
  const { code, stdout, stderr } = await verify();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const log of [...areas.map((area) => `${area}.history`), 'athletes.minor_access'])
    expect(stdout).toMatch(new RegExp(`^${log.replace('.', '\\.')} +ok +\\d+`, 'm'));
  expect(stdout).toMatch(/^athletes\.minor_access +ok +1 +1 /m);
  const [covered] = await own(`select sum(octet_length(rows)) / 48 as rows, (select count(*) from athletes.history) as entries
    from athletes.audit_digest where log = 'history'`);
  expect(Number(covered?.['rows'])).toBe(Number(covered?.['entries']));
});

test.each([
  [
    'an altered action',
    "update organizations.history set action = 'other' where id = $1",
    'organizations.history',
    'was altered',
  ],
  [
    'an altered value',
    `update organizations.history set changes = '{"name": [1, 2]}' where id = $1`,
    'organizations.history',
    'was altered',
  ],
  ['an altered actor', "update organizations.history set actor = '{}' where id = $1", 'organizations.history', 'was altered'],
  ['a deleted entry', 'delete from organizations.history where id = $1', 'organizations.history', 'is missing'],
  [
    'an emptied entry',
    "update organizations.history set changes = '{}', salt = null where id = $1",
    'organizations.history',
    'was altered',
  ],
  [
    'a changed count of reads',
    'update athletes.minor_access set reads = 0 where id = $1',
    'athletes.minor_access',
    'was altered',
  ],
  ['a deleted read', 'delete from athletes.minor_access where id = $1', 'athletes.minor_access', 'is missing'],
])('%s is reported with its row', async (_, statement, log, what) => {
  const id = await firstRow(log);
  const before = await own(`select to_jsonb(t) as row from ${log} t where id = $1`, [id]);
  await own(statement, [id]);
  const { code, stdout, stderr } = await verify();
  expect(code).toBe(1);
  expect(stderr).toContain(`${log}, digest 1: row ${id} ${what}.`);
  expect(stdout).toMatch(new RegExp(`^${log.replace('.', '\\.')} +ALTERED`, 'm'));
  await own(`delete from ${log} where id = $1`, [id]);
  await own(`insert into ${log} overriding system value select * from jsonb_populate_record(null::${log}, $1)`, [
    before[0]?.['row'],
  ]);
  expect((await verify()).code).toBe(0);
});

test('an inserted row, an altered digest and a deleted one are reported', async () => {
  const [copy] = await own(`insert into organizations.history overriding system value
    select * from jsonb_populate_record(null::organizations.history, '{"seq": 0, "id": "00000000-0000-4000-8000-000000000001", "resource_type": "x",
      "resource_id": "00000000-0000-4000-8000-000000000002", "version": 1, "action": "x", "actor": {}, "changes": {}, "at": "2020-01-01"}') returning id`);
  expect((await verify()).stderr).toContain(`organizations.history, digest 1: row ${String(copy?.['id'])} was inserted.`);
  await own('delete from organizations.history where id = $1', [copy?.['id']]);

  await owner.post('/organizations', { type: 'CLUB', name: 'Second', country: 'NO', sports: ['FOOTBALL'] });
  await platform.maintain();
  await own(`update organizations.audit_digest set rows = '' where number = 1`);
  expect((await verify()).stderr).toContain('organizations.history, digest 1: the digest was altered.');
  await own('delete from organizations.audit_digest where number = 1');
  expect((await verify()).stderr).toContain('organizations.history, digest 2: digest 1 is missing.');
});

test('an expected digest proves that the last digests and their rows were not deleted', async () => {
  await owner.post('/organizations', { type: 'CLUB', name: 'Third', country: 'NO', sports: ['FOOTBALL'] });
  await platform.maintain();
  const first = await verify();
  const known = heads(first).flatMap((head) => ['--expect', head]);
  expect((await verify(...known)).code).toBe(0);
  await own(`delete from organizations.history where seq > (select last from organizations.audit_digest where number = 1)`);
  await own('delete from organizations.audit_digest where number = 2');
  expect((await verify()).code).toBe(0);
  const { code, stderr } = await verify(...known);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^No log has the digest [0-9a-f]{64}\.$/m);
});

test('erasure, deletion and pruning are no alterations, and the rest of an erased entry stays proven', async () => {
  const { body: draft } = await owner.post('/organizations', {
    type: 'CLUB',
    name: 'Draft',
    country: 'NO',
    sports: ['FOOTBALL'],
  });
  await platform.maintain();
  expect((await owner.delete(`/organizations/${draft.id}`, { 'if-match': '*' })).status).toBe(200);
  expect((await owner.post(`/athletes/${minorId}/erase`, { reason: 'asked' })).status).toBe(200);
  await platform.settled();
  await platform.maintain();
  expect(await own('select from athletes.minor_access')).toEqual([]);
  const { code, stdout } = await verify();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^athletes\.minor_access +ok +\d+ +1 +1 /m);
  expect(stdout).toMatch(/^organizations\.history +ok +\d+ +\d+ +[1-9]/m);
  await own("update athletes.history set actor = '{}' where erased_hash is not null and resource_id = $1", [minorId]);
  expect((await verify()).stderr).toMatch(/athletes\.history, digest 1: row \S+ was altered\./);
});

test('an erasure has a record of its role, and a removal of values without a record is reported', async () => {
  const ids = [owner.organizationId];
  const area = new pg.Client({ connectionString: platform.database.urlAs(areaRole('organizations')) });
  await area.connect();
  const { rows } = await area.query("select erase_history('organization', $1) as count", [ids]);
  await area.end();
  const records = await own('delete from organizations.audit_history_erasure where resource_id = any($1) returning *', [ids]);
  expect(records).toHaveLength(Number(rows[0]?.count));
  expect(records).toContainEqual(expect.objectContaining({ resource_type: 'organization', erased_by: 'talent_organizations' }));
  const { stderr } = await verify();
  expect(stderr).toMatch(/organizations\.history, digest 1: row \S+ was erased without a record\./);
  await own(
    'insert into organizations.audit_history_erasure select * from jsonb_populate_recordset(null::organizations.audit_history_erasure, $1)',
    [JSON.stringify(records)],
  );
  expect((await verify()).stderr).not.toContain('organizations.history');
});

test('a digest of another secret is rejected, and wrong usage is explained', async () => {
  const [digest] = await own("select key_id from accounts.audit_digest where log = 'history' limit 1");
  expect(digest?.['key_id']).toMatch(/^[0-9a-f]{16}$/);
  await own("update accounts.audit_digest set key_id = '0000000000000000'");
  expect((await verify()).stderr).toContain('accounts.history, digest 1: the digest was signed with the key of another SECRET.');
  expect((await audit(['--help'])).stdout).toContain('Usage: npm run audit -- verify');
  expect((await audit([])).code).toBe(2);
  expect((await verify('--expect', 'x')).code).toBe(2);
});

test('after a rotation of SECRET, digests of the previous secret are proven by a later signature only', async () => {
  const history = historyLog('organizations');
  const key = randomBytes(32);
  const reader = openDatabase({ url: platform.database.ownerUrl, name: 'audit-reader', poolSize: 1 });
  const relay = openDatabase({ url: platform.database.urlAs(relayRole), name: 'audit-relay', poolSize: 1 });
  try {
    expect((await verifyLog(reader, history, [key])).finding?.detail).toBe(
      'the digest was signed with the key of another SECRET',
    );
    const club = { type: 'CLUB', name: 'After the rotation', country: 'DE', sports: ['FOOTBALL'] };
    expect((await owner.post('/organizations', club)).status).toBe(201);
    const log = createLog({ name: 'test', level: 'silent' });
    for (const { run } of auditSteps(relay, ['organizations'], { current: key, previous: null }, log)) await run();
    expect(await verifyLog(reader, history, [key])).toMatchObject({ finding: null, digests: 2 });
  } finally {
    await reader.close();
    await relay.close();
  }
});
