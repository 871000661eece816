/** The audit log is complete or unavailable, readable by administrators only, and erases data with its resources. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: AdministratorClient;
let viewer: AdministratorClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
  [moderator, viewer] = [await platform.administrator('MODERATOR'), await platform.administrator('VIEWER')];
});
afterAll(() => platform.close());

/** Runs a document of the admin schema. */
const send = async (administrator: AdministratorClient, text: string, variables: Record<string, unknown> = {}) =>
  (await administrator.graphql(text, variables)).body;

const log = `query ($filter: AuditFilter) {
  auditEntries(filter: $filter) { nodes { area action reason actor { kind address } changes { field before after } } }
}`;

interface Entry {
  readonly action: string;
  readonly reason: string | null;
  readonly actor: { readonly kind: string };
  readonly changes: readonly { readonly field: string }[];
}

async function entries(filter: object): Promise<Entry[]> {
  const { data, errors } = await send(viewer, log, { filter });
  expect(errors).toBeUndefined();
  return data.auditEntries.nodes;
}

async function done(verb: string, id: string, more: string): Promise<void> {
  const { errors } = await send(moderator, `mutation ($id: ID!) { ${verb}(id: $id, ${more}) { id } }`, { id });
  expect(errors).toBeUndefined();
}

/** Reads the log while an area's history is locked, and cancels the statement like statement_timeout. */
async function sendWithout(area: string, filter: object) {
  const [holder, ender] = [0, 1].map(() => new pg.Client({ connectionString: platform.database.ownerUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), ender.connect()]);
  try {
    await holder.query('begin');
    await holder.query(`lock table ${area}.history in access exclusive mode`);
    const response = send(viewer, log, { filter });
    await eventually(async () => {
      const { rowCount } = await ender.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    return await response;
  } finally {
    await Promise.all([holder.end(), ender.end()]);
  }
}

test('without an area the log fails with the name of the area; the log of another area works', async () => {
  const { id } = await createClub(owner);
  await done('suspendOrganization', id, 'reason: "Fraud"');
  const { data, errors } = await sendWithout('scouting', {});
  expect(data?.auditEntries ?? null).toBeNull();
  expect(errors[0]).toMatchObject({ message: expect.stringContaining('scouting'), extensions: { code: 'upstream_timeout' } });
  expect(await entries({ area: 'ORGANIZATIONS' })).toMatchObject([{ action: 'suspend', reason: 'Fraud' }]);
});

test('the entries of an erased athlete keep action and actor, but no values or reasons', async () => {
  const { id } = await createAdult(owner, { givenName: 'Zephyrine' });
  await done('suspendAthlete', id, 'reason: "Zephyrine is twelve"');
  await done('rejectAthlete', id, 'reason: "Zephyrine is somebody else"');
  const before = await entries({ resourceId: id });
  expect(before.slice(0, 2)).toMatchObject([{ reason: 'Zephyrine is somebody else' }, { reason: 'Zephyrine is twelve' }]);
  await owner.post(`/athletes/${id}/erase`, { reason: 'Zephyrine asked' });
  await platform.settled();
  const after = await entries({ resourceId: id });
  expect(JSON.stringify(after)).not.toContain('Zephyrine');
  expect(after.slice(-before.length).map(({ action, actor }) => [action, actor])).toEqual(
    before.map(({ action, actor }) => [action, actor]),
  );
  expect(after.every(({ changes, reason }) => changes.length === 0 && reason === null)).toBe(true);
});

test('the entries of a deleted resource keep the actions without values', async () => {
  const response = await owner.post('/organizations', { type: 'CLUB', name: 'Wolkenstein', country: 'DE', sports: ['FOOTBALL'] });
  await owner.delete(`/organizations/${response.body.id}`, { 'if-match': '*' });
  const found = await entries({ resourceId: response.body.id });
  expect(found.map(({ action, changes }) => [action, changes])).toEqual([
    ['deleted', []],
    ['created', []],
  ]);
});

test('keys cannot read it, and the public schema does not contain it', async () => {
  for (const text of [
    '{ auditEntries { nodes { id } } }',
    '{ athletesHistory(first: 1) { id } }',
    '{ me { key { history { nodes { id } } } } }',
  ]) {
    const { status, body } = await owner.graphql(text);
    expect(status).toBe(400);
    expect(body.errors[0].message).toContain('Cannot query field');
  }
});
