/** A write happens once, on the version that the client read, or not at all. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat, statusCounts } from '../accounts/rates.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'Owner' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'] });
const player = (displayName: string) => ({
  displayName,
  dateOfBirth: '1999-04-01',
  sex: 'FEMALE',
  nationalities: ['DE'],
  sports: [{ sport: 'FOOTBALL' }],
});
const key = (name: string) => ({ 'idempotency-key': name });
const mine = async (path: string): Promise<number> => (await owner.get(`${path}?mine=true&limit=100`)).body.data.length;

describe('an Idempotency-Key', () => {
  test.each([
    ['/organizations', club('Once')],
    ['/athletes', player('Once')],
  ])('of 50 concurrent clients creates one resource of %s; the others get it replayed, or a conflict', async (path, body) => {
    const before = await mine(path);
    const responses = await repeat(50, () => owner.post(path, body, key('once')));
    const { 201: created = 0, 409: running = 0, ...rest } = statusCounts(responses);
    expect(rest).toEqual({});
    expect(created + running).toBe(50);
    expect(created).toBeGreaterThan(0);
    const first = responses.filter(({ status, headers }) => status === 201 && headers.get('idempotent-replayed') === null);
    expect(first).toHaveLength(1);
    for (const { body: rejected } of responses.filter(({ status }) => status === 409)) {
      expect(rejected.code).toBe('idempotency_in_progress');
    }
    const repetition = await repeat(50, () => owner.post(path, body, key('once')));
    const repeated: ApiResponse[] = [];
    for (const response of repetition) {
      // a replay also holds the lock briefly
      if (response.status === 201) repeated.push(response);
      else await eventually(async () => void expect(repeated.push(await owner.post(path, body, key('once')))).toBeGreaterThan(0));
    }
    const last = await owner.post(path, body, key('once'));
    expect(last.headers.get('idempotent-replayed')).toBe('true');
    expect(last.headers.get('location')).toBe(first[0]?.headers.get('location'));
    const ids = [...responses, ...repetition, last].filter(({ status }) => status === 201).map((response) => response.body.id);
    expect(new Set(ids).size).toBe(1);
    expect(await mine(path)).toBe(before + 1);
  });

  test('works over GraphQL: the same resource, for any order of members', async () => {
    const create =
      'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input, idempotencyKey: "graph") { id } }';
    const first = await owner.graphql(create, { input: club('Graph') });
    const { type, ...rest } = club('Graph');
    const second = await owner.graphql(create, { input: { ...rest, type } });
    expect(second.body).toEqual(first.body);
    expect(second.body.data.createOrganization.id).toBeTruthy();
  });

  test('with another body is rejected and changes nothing; keys of accounts are independent', async () => {
    const { body: created } = await owner.post('/organizations', club('Mine'), key('reused'));
    const count = await mine('/organizations');
    const rejected = await owner.post('/organizations', club('Else'), key('reused'));
    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await mine('/organizations')).toBe(count);
    const foreign = await other.post('/organizations', club('Mine'), key('reused'));
    expect(foreign.status).toBe(201);
    expect(foreign.body.id).not.toBe(created.id);
  });

  test('of a failed request can be reused', async () => {
    const invalid = { ...club('Later'), parentOrganizationId: '00000000-0000-4000-8000-000000000000' };
    expect((await owner.post('/organizations', invalid, key('failed'))).status).toBe(422);
    expect((await owner.post('/organizations', club('Later'), key('failed'))).status).toBe(201);
  });

  test('replays a batch with its original outcomes', async () => {
    const items = [1, 2, 3].map((index) => ({
      ...club(`Batch ${index}`),
      externalIds: [{ scheme: 'TEST', value: `batch-${index}` }],
    }));
    const broken = { ...club('Broken'), sports: [], externalIds: [{ scheme: 'TEST', value: 'batch-4' }] };
    const send = () => owner.post('/organizations/batch', { items: [...items, broken] }, key('batch'));
    const first = await send();
    expect(first.body.summary).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 1 });
    const second = await send();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const unkeyed = await owner.post('/organizations/batch', { items: [...items, broken] });
    expect(unkeyed.body.summary).toEqual({ created: 0, updated: 0, unchanged: 3, failed: 1 });
    expect((await owner.post('/organizations/batch', { items }, key('batch'))).status).toBe(422);
  });

  test('guards transitions: the second of two is a replay, not an invalid transition', async () => {
    const { body } = await owner.post('/organizations', club('Step'));
    const first = await owner.post(`/organizations/${body.id}/activate`, undefined, key('step'));
    const second = await owner.post(`/organizations/${body.id}/activate`, undefined, key('step'));
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.version).toBe(first.body.version);
    expect((await owner.post(`/organizations/${body.id}/activate`)).body).toMatchObject({ code: 'invalid_transition' });
  });

  test.each(['', 'x'.repeat(256), 'with space', 'käse'])('%j is not a valid key', async (text) => {
    const sent = await owner.post(
      '/organizations',
      club('Bad key'),
      text === 'käse' ? { 'idempotency-key': 'k\u00e4se' } : key(text),
    );
    expect(sent.status).toBe(400);
  });
});

describe('a version', () => {
  const create = async (name: string) => (await owner.post('/organizations', club(name))).body;
  const read = async (id: string): Promise<ApiResponse> => owner.get(`/organizations/${id}`);

  test('that is stale is rejected with 412, and nothing changes', async () => {
    const { id } = await create('Version');
    const etag = (await read(id)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"1-/);
    expect((await owner.patch(`/organizations/${id}`, { city: 'Ulm' }, { 'if-match': etag })).body).toMatchObject({
      city: 'Ulm',
      version: 2,
    });
    const before = await read(id);
    for (const stale of [etag, '"1"', '1', 'W/"1-x"', '"99"', '"x"', '"1", "3"']) {
      const rejected = await owner.patch(`/organizations/${id}`, { city: 'Rom' }, { 'if-match': stale });
      expect({ stale, status: rejected.status, code: rejected.body.code }).toEqual({
        stale,
        status: 412,
        code: 'precondition_failed',
      });
    }
    expect((await owner.delete(`/organizations/${id}`, { 'if-match': '"1"' })).status).toBe(412);
    const after = await read(id);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('is required for PATCH and DELETE, and * matches any', async () => {
    const { id } = await create('Any');
    expect((await owner.patch(`/organizations/${id}`, { city: 'Rom' })).body).toMatchObject({
      status: 428,
      code: 'precondition_required',
    });
    expect((await owner.delete(`/organizations/${id}`)).status).toBe(428);
    expect((await owner.patch(`/organizations/${id}`, { city: 'Rom' }, { 'if-match': '*' })).body).toMatchObject({ version: 2 });
    expect((await owner.patch(`/organizations/${id}`, { city: 'Bonn' }, { 'if-match': '"1", "2"' })).body.version).toBe(3);
  });

  test('is changed by exactly one of 20 concurrent clients', async () => {
    const { id } = await create('Race');
    const responses = await repeat(20, (index) =>
      owner.patch(`/organizations/${id}`, { city: `City ${index}` }, { 'if-match': '"1"' }),
    );
    expect(statusCounts(responses)).toEqual({ 200: 1, 412: 19 });
    const winner = responses.find(({ status }) => status === 200);
    expect((await read(id)).body).toMatchObject({ city: winner?.body.city, version: 2 });
  });

  test('allows one of two concurrent transitions', async () => {
    const { id } = await create('Transitions');
    const responses = await repeat(10, () => owner.post(`/organizations/${id}/activate`));
    expect(statusCounts(responses)).toEqual({ 200: 1, 409: 9 });
    expect((await read(id)).body).toMatchObject({ status: 'ACTIVE', version: 2 });
  });
});

describe('a deletion', () => {
  test('is possible only for drafts without references', async () => {
    const { body: draft } = await owner.post('/organizations', club('Draft'));
    const { body: active } = await owner.post('/organizations', { ...club('Active'), status: 'ACTIVE' });
    const { body: parent } = await owner.post('/organizations', club('Parent'));
    await owner.post('/organizations/teams', { name: 'First', sport: 'FOOTBALL', category: 'MEN', organizationId: parent.id });
    const remove = (id: string) => owner.delete(`/organizations/${id}`, { 'if-match': '*' });
    expect((await remove(active.id)).body).toMatchObject({ status: 409, code: 'in_use' });
    expect((await remove(parent.id)).body).toMatchObject({ status: 409, code: 'in_use' });
    expect((await remove(draft.id)).body).toEqual({ id: draft.id, deleted: true });
    expect((await remove(draft.id)).status).toBe(404);
    expect((await owner.get(`/organizations/${draft.id}`)).status).toBe(404);
  });

  test('of an athlete is possible only for drafts without memberships', async () => {
    const { body: athlete } = await owner.post('/athletes', { ...player('Shown'), status: 'ACTIVE' });
    const { body: draft } = await owner.post('/athletes', player('Draft'));
    const remove = (id: string) => owner.delete(`/athletes/${id}`, { 'if-match': '*' });
    expect((await remove(athlete.id)).body.code).toBe('in_use');
    expect((await remove(draft.id)).body).toEqual({ id: draft.id, deleted: true });
  });

  test('makes a replay of the creation 410 gone', async () => {
    const { body } = await owner.post('/organizations', club('Vanished'), key('vanished'));
    await owner.delete(`/organizations/${body.id}`, { 'if-match': '*' });
    expect((await owner.post('/organizations', club('Vanished'), key('vanished'))).body).toMatchObject({
      status: 410,
      code: 'gone',
    });
  });
});

describe('an external id', () => {
  const named = (name: string, value: string, scheme = 'TEST') => ({ ...club(name), externalIds: [{ scheme, value }] });

  test('identifies one resource of an account: a second gets the existing id', async () => {
    const { body: first } = await owner.post('/organizations', named('First', 'one'));
    const second = await owner.post('/organizations', named('Second', 'one'));
    expect(second.body).toMatchObject({ status: 409, code: 'conflict', existingId: first.id });
    expect((await other.post('/organizations', named('Elsewhere', 'one'))).status).toBe(201);
    const { body: third } = await owner.post('/organizations', named('Third', 'three'));
    const moved = await owner.patch(
      `/organizations/${third.id}`,
      { externalIds: [{ scheme: 'TEST', value: 'one' }] },
      { 'if-match': '*' },
    );
    expect(moved.body).toMatchObject({ code: 'conflict', existingId: first.id });
    expect((await owner.get(`/organizations/${third.id}`)).body).toMatchObject({ version: 1, externalIds: [{ value: 'three' }] });
  });

  test('sent by 20 concurrent clients creates one resource', async () => {
    const responses = await repeat(20, () => owner.post('/organizations', named('Twins', 'twins')));
    expect(statusCounts(responses)).toEqual({ 201: 1, 409: 19 });
    const batches = await repeat(10, () => owner.post('/organizations/batch', { items: [named('Twins', 'twin-batch')] }));
    expect(batches.map(({ body }) => body.summary.failed)).toEqual(batches.map(() => 0));
    expect((await owner.get('/organizations?externalId=TEST:twin-batch&mine=true')).body.data).toHaveLength(1);
  });
});
