/** The audit log: the actions of administrators in all areas, with actor, reason and address. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { labelOf, type AdministratorClient } from '../../administrator.ts';
import { createClient, type Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let admin: AdministratorClient;
let moderator: AdministratorClient;
let viewer: AdministratorClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
  admin = await platform.administrator('ADMIN');
  moderator = await platform.administrator('MODERATOR');
  viewer = await platform.administrator('VIEWER');
});
afterAll(() => platform.close());

/** Runs a document of the admin schema. */
const send = async (by: AdministratorClient, text: string, variables: Record<string, unknown> = {}) =>
  (await by.graphql(text, variables)).body;

const entry = `id at area resourceType resourceId version action reason
  actor { kind administrator { id name } keyId accountId address } changes { field before after }`;
const log = `query ($first: Int! = 50, $after: String, $filter: AuditFilter) {
  auditEntries(first: $first, after: $after, filter: $filter) { nodes { ${entry} } edges { cursor } pageInfo { nextCursor hasMore endCursor } }
}`;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly area: string;
  readonly action: string;
  readonly resourceId: string;
  readonly reason: string | null;
  readonly actor: { readonly kind: string };
  readonly changes: readonly { field: string; before: string | null; after: string | null }[];
}

async function entries(filter: object, reader = viewer): Promise<Entry[]> {
  const { data, errors } = await send(reader, log, { filter });
  expect(errors).toBeUndefined();
  return data.auditEntries.nodes;
}

async function act(by: AdministratorClient, document: string, variables: Record<string, unknown>) {
  const { data, errors } = await send(by, document, variables);
  expect(errors).toBeUndefined();
  return data;
}

const step = (by: AdministratorClient, verb: string, id: string, more = '') =>
  act(by, `mutation ($id: ID!) { ${verb}(id: $id${more}) { id } }`, { id });

async function issue(name: string): Promise<{ id: string; key: string; publicId: string }> {
  const text = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id publicId } } }';
  const input = { accountName: 'Audited', name, plan: 'plenty', scopes: ['organizations:write'] };
  const { key, apiKey } = (await act(admin, text, { input })).issueApiKey;
  return { key, ...apiKey };
}

const changed = ({ changes }: Entry, field: string) => changes.find((each) => each.field === field);

test('entries name the key that acted, and the resources of all areas', async () => {
  const { id: keyId, key } = await issue('named key');
  const { id } = await createClub(createClient({ ...platform, key }), { name: 'FC Named' });
  const text = `query ($filter: AuditFilter) { auditEntries(filter: $filter) {
    nodes { resourceName organization { name } athlete { displayName } team { name } actor { key { id name } } } } }`;
  const named = async (filter: object) => (await act(viewer, text, { filter })).auditEntries.nodes;
  expect((await named({ resourceId: keyId }))[0]).toMatchObject({ resourceName: 'named key', organization: null });
  expect((await named({ resourceId: id })).at(-1)).toEqual({
    resourceName: null,
    organization: { name: 'FC Named' },
    athlete: null,
    team: null,
    actor: { key: { id: keyId, name: 'named key' } },
  });
});

test('a deleted resource has no name', async () => {
  const { id } = (await owner.post('/organizations', { type: 'CLUB', name: 'FC Gone', country: 'FR', sports: ['FOOTBALL'] }))
    .body;
  await owner.delete(`/organizations/${id}`, { 'if-match': '*' });
  const text = `query ($filter: AuditFilter) { auditEntries(filter: $filter) { nodes { action organization { name } } } }`;
  const { auditEntries } = await act(viewer, text, { filter: { resourceId: id } });
  expect(auditEntries.nodes[0]).toEqual({ action: 'deleted', organization: null });
});

test('the entries of a key contain actor, address, reason and values, but not its secret', async () => {
  const { id, key } = await issue('importer');
  await step(admin, 'disableApiKey', id, ', reason: "Leaked"');
  await step(admin, 'revokeApiKey', id, ', reason: "Found on a forum"');
  const found = await entries({ resourceType: 'api_key', resourceId: id });
  expect(found.map(({ action, reason }) => [action, reason])).toEqual([
    ['revoke', 'Found on a forum'],
    ['disable', 'Leaked'],
    ['issued', null],
  ]);
  const administrator = { id: admin.id, name: 'Ada Example' };
  const actor = { kind: 'ADMINISTRATOR', administrator, keyId: null, accountId: null, address: labelOf(platform.database) };
  for (const each of found) expect(each).toMatchObject({ area: 'ACCOUNTS', resourceId: id, actor });
  const [revoked, disabled, issued] = found as [Entry, Entry, Entry];
  expect(changed(disabled, 'status')).toEqual({ field: 'status', before: '"ACTIVE"', after: '"DISABLED"' });
  expect(changed(revoked, 'status')).toEqual({ field: 'status', before: '"DISABLED"', after: '"REVOKED"' });
  expect(changed(issued, 'name')).toEqual({ field: 'name', before: null, after: '"importer"' });
  expect(issued.changes.every(({ before }) => before === null)).toBe(true);
  const [, secret = ''] = key.split('.');
  expect(JSON.stringify(found)).not.toContain(secret);
  expect(JSON.stringify(found)).not.toMatch(/hash|pepper/i);
});

test('the entries of sign-ins contain no password, token or hash', async () => {
  const { password } = await platform.administratorWithPassword('VIEWER');
  const found = await entries({ resourceType: 'administrator' });
  expect(found.map(({ action }) => action)).toEqual(expect.arrayContaining(['signed_in', 'set_up']));
  const fields = found.flatMap(({ changes }) => changes.map(({ field }) => field));
  expect(fields.join()).not.toMatch(/password|hash|token/i);
  expect(JSON.stringify(found)).not.toContain(password);
});

test('keys and accounts have their history as a field', async () => {
  const { id } = await issue('with history');
  await step(admin, 'disableApiKey', id);
  const text = `query ($id: ID!) { apiKey(id: $id) { history(first: 1) { nodes { action area } pageInfo { hasMore nextCursor } }
    account { history { nodes { action actor { kind administrator { id } } } } } } }`;
  const { data } = await send(viewer, text, { id });
  expect(data.apiKey.history).toMatchObject({ nodes: [{ action: 'disable', area: 'ACCOUNTS' }], pageInfo: { hasMore: true } });
  expect(data.apiKey.account.history.nodes).toEqual([
    { action: 'created', actor: { kind: 'ADMINISTRATOR', administrator: { id: admin.id } } },
  ]);
  const next = 'query ($id: ID!, $after: String) { apiKey(id: $id) { history(after: $after) { nodes { action } } } }';
  const rest = await send(viewer, next, { id, after: data.apiKey.history.pageInfo.nextCursor });
  expect(rest.data.apiKey.history.nodes).toEqual([{ action: 'issued' }]);
});

describe('the log of all areas', () => {
  let clubId: string;
  let athleteId: string;
  beforeAll(async () => {
    clubId = (await createClub(owner)).id;
    athleteId = (await createAdult(owner)).id;
    await step(moderator, 'verifyOrganization', clubId, ', method: "Register"');
    await step(moderator, 'suspendAthlete', athleteId, ', reason: "Nobody of this name"');
    await issue('later');
  });

  test('lists the actions of administrators of all areas, newest first, without those of keys', async () => {
    const found = await entries({});
    expect(found.slice(0, 3).map(({ area, action }) => [area, action])).toEqual([
      ['ACCOUNTS', 'issued'],
      ['ATHLETES', 'suspend'],
      ['ORGANIZATIONS', 'verify'],
    ]);
    expect(found.every(({ actor }) => actor.kind !== 'KEY')).toBe(true);
    const order = found.map(({ at, id }) => `${at} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
    const [, suspended] = found;
    expect(suspended).toMatchObject({ reason: 'Nobody of this name', resourceId: athleteId });
  });

  test('contains actions of the command line in the accounts area', async () => {
    const found = await entries({ area: 'ACCOUNTS', action: 'issued' });
    expect(found.map(({ actor }) => actor.kind)).toContain('SYSTEM');
  });

  test.each([
    ['by administrator', () => ({ administratorId: moderator.id }), ['suspend', 'verify', 'signed_in', 'created']],
    ['by area', () => ({ area: 'ATHLETES' }), ['suspend']],
    ['by resource type', () => ({ resourceType: 'organization' }), ['verify']],
    ['by action', () => ({ action: 'verify' }), ['verify']],
    ['by resource, for all actors', () => ({ resourceId: clubId }), ['verify', 'activate', 'created']],
    ['by key', () => ({ keyId: owner.key.split('.')[0], resourceType: 'athlete' }), ['activate', 'created']],
    ['by time', () => ({ from: '2099-01-01T00:00:00Z' }), []],
    ['by an earlier time', () => ({ to: '2001-01-01T00:00:00Z' }), []],
  ])('is filtered %s', async (_, filter, actions) => {
    const found = await entries(filter());
    expect(found.map(({ action }) => action)).toEqual(actions);
  });

  test('is paginated without gaps or overlaps, with cursors bound to their filter', async () => {
    const all = (await entries({})).map(({ id }) => id);
    const read: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await send(viewer, log, { first: 2, after, filter: {} });
      read.push(...data.auditEntries.nodes.map(({ id }: Entry) => id));
      after = data.auditEntries.pageInfo.nextCursor;
    } while (after !== null);
    expect(read).toEqual(all);
    const { data } = await send(viewer, log, { first: 1, filter: {} });
    const other = await send(viewer, log, { after: data.auditEntries.pageInfo.nextCursor, filter: { area: 'ATHLETES' } });
    expect(other.errors[0].extensions.code).toBe('cursor_invalid');
  });

  test('returns 100 entries in one page', async () => {
    const { errors } = await send(viewer, log, { first: 100 });
    expect(errors).toBeUndefined();
  });
});
