/** Saved searches as resources: creation, changes, limits and errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { idsOf } from '../organizations/clubs.ts';
import { anyVersion, createShortlist } from './scouts.ts';
import { saveSearch } from './searchers.ts';

let platform: TestPlatform;
let scout: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [scout, other] = [await platform.account({ account: 'Scout' }), await platform.account({ account: 'Other' })];
});
afterAll(() => platform.close());

const unknown = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';
const idOf = (path: string): string => path.split('/').at(-1) ?? '';

test.each([
  ['ATHLETES', { athletes: { sport: ['FOOTBALL'], position: ['LB'], ageMax: 23 } }],
  ['PROSPECTS', { prospects: { sport: ['FOOTBALL'], minScore: 40 } }],
  ['OPPORTUNITIES', { opportunities: { type: ['TRIAL'], near: '52.52,13.405', radiusKm: 100 } }],
])('a search for %s can be created, read, updated, listed, synchronized and deleted', async (kind, filter) => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const path = await saveSearch(scout, filter);
  const read = await scout.get(path);
  expect(read.body).toMatchObject({ id: idOf(path), kind, name: 'Left backs', filter, intervalMinutes: 60, paused: false });
  expect((await scout.patch(path, { name: 'LB' })).status).toBe(428);
  const etag = { 'if-match': read.headers.get('etag') ?? '' };
  const patched = await scout.patch(path, { name: 'LB', intervalMinutes: 5, paused: true }, etag);
  expect(patched.body).toMatchObject({ version: 2, name: 'LB', intervalMinutes: 5, paused: true, filter });
  expect((await scout.patch(path, { name: 'B' }, etag)).status).toBe(412);
  expect(idsOf(await scout.get(`/saved-searches?kind=${kind}`))).toEqual([idOf(path)]);
  expect((await scout.delete(path, anyVersion)).body).toEqual({ id: idOf(path), deleted: true });
  for (const deleted of [path, `${path}/matches`]) expect((await scout.get(deleted)).status).toBe(404);
  const changes = (await scout.get(`/saved-searches?updatedSince=${since}`)).body;
  expect(changes.tombstones).toContainEqual({ id: idOf(path), deleted: true });
});

test('a repeated request with the same idempotency key saves one search', async () => {
  const key = { 'idempotency-key': 'once' };
  const input = { name: 'Once', filter: { athletes: { q: 'Ada' } } };
  const { body } = await scout.post('/saved-searches', input, key);
  expect((await scout.post('/saved-searches', input, key)).body).toEqual(body);
  expect((await scout.post('/saved-searches', { ...input, name: 'Twice' }, key)).body.code).toBe('idempotency_key_reused');
  expect((await scout.delete(`/saved-searches/${body.id}`, anyVersion)).status).toBe(200);
});

test('a merge patch changes members of the filter, and cannot change the list', async () => {
  const path = await saveSearch(scout, { athletes: { sport: ['FOOTBALL'], ageMax: 23 } });
  const patch = { filter: { athletes: { ageMax: null, country: ['DE'] } } };
  expect((await scout.patch(path, patch, anyVersion)).body.filter).toEqual({
    athletes: { sport: ['FOOTBALL'], country: ['DE'] },
  });
  const otherList = await scout.patch(path, { filter: { prospects: {} } }, anyVersion);
  expect(otherList.body).toMatchObject({ status: 422, errors: [{ pointer: '/filter', code: 'immutable' }] });
  const required = await scout.patch(path, { filter: null }, anyVersion);
  expect(required.body).toMatchObject({ status: 422, errors: [{ pointer: '/filter', code: 'required' }] });
  expect((await scout.get(path)).body.version).toBe(2);
});

describe('a search is rejected with the pointer of each error', () => {
  test.each([
    [{ athletes: { position: ['QB'], sport: ['FOOTBALL'] } }, '/filter/athletes/position', 'unknown_position'],
    [{ athletes: { ageMin: 30, ageMax: 20 } }, '/filter/athletes/ageMax', 'range'],
    [{ prospects: { sport: ['FOOTBALL'], metric: ['knots:gte:3'] } }, '/filter/prospects/metric', 'unknown_metric'],
    [{ opportunities: { radiusKm: 10 } }, '/filter/opportunities/radiusKm', 'requires'],
    [{ athletes: { updatedSince: '2026-01-01T00:00:00Z' } }, '/filter/athletes/updatedSince', 'not_supported'],
    [{ athletes: { ageMin: 500 } }, '/filter/athletes/ageMin', 'out_of_bounds'],
    [{ athletes: { wings: 2 } }, '/filter/athletes/wings', 'unknown_member'],
    [{ athletes: {}, prospects: {} }, '/filter', 'out_of_bounds'],
    [{}, '/filter', 'out_of_bounds'],
  ])('%j', async (filter, pointer, code) => {
    const { body } = await scout.post('/saved-searches', { name: 'Invalid', filter });
    expect(body).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer, code }] });
  });

  test.each([4, 10_081])('an interval of %s minutes', async (intervalMinutes) => {
    const { body } = await scout.post('/saved-searches', { name: 'Often', filter: { athletes: {} }, intervalMinutes });
    expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/intervalMinutes' }] });
  });
});

test('a search belongs to a shortlist of the account, which names it', async () => {
  const shortlist = await createShortlist(scout);
  const search = await saveSearch(scout, { athletes: { position: ['LB'] } }, { shortlistId: idOf(shortlist) });
  const { body } = await scout.get(`${shortlist}?include=savedSearches`);
  expect(body.savedSearches).toMatchObject([{ id: idOf(search), name: 'Left backs', kind: 'ATHLETES' }]);
  expect(idsOf(await scout.get(`/saved-searches?shortlistId=${idOf(shortlist)}`))).toEqual([idOf(search)]);
  const foreign = { name: 'Foreign', filter: { athletes: {} }, shortlistId: idOf(shortlist) };
  for (const [account, shortlistId] of [
    [other, idOf(shortlist)],
    [scout, unknown],
  ] as const) {
    const rejected = await account.post('/saved-searches', { ...foreign, shortlistId });
    expect(rejected.body).toMatchObject({ status: 422, errors: [{ pointer: '/shortlistId', code: 'unknown_shortlist' }] });
  }
  const opportunities = await scout.post('/saved-searches', { ...foreign, filter: { opportunities: {} } });
  expect(opportunities.body).toMatchObject({ status: 422, errors: [{ pointer: '/shortlistId', code: 'not_supported' }] });
  expect((await scout.delete(shortlist, anyVersion)).status).toBe(200);
  expect((await scout.get(search)).body.shortlistId).toBeNull();
});

test('another account reads, changes and finds nothing of a search', async () => {
  const path = await saveSearch(scout, { athletes: { position: ['LB'] } });
  for (const { status } of [
    await other.get(path),
    await other.get(`${path}/matches`),
    await other.patch(path, { name: 'Mine' }, anyVersion),
    await other.patch(path, { filter: { athletes: {} } }, anyVersion),
    await other.delete(path, anyVersion),
  ])
    expect(status).toBe(404);
  expect((await other.get('/saved-searches')).body.data).toEqual([]);
  expect((await platform.anonymous.get(path)).status).toBe(401);
  const reader = await platform.account({ account: 'Reader', scopes: ['scouting:read'] });
  expect((await reader.post('/saved-searches', { name: 'No', filter: { athletes: {} } })).body.code).toBe('insufficient_scope');
});

test('an account has at most 100 saved searches', async () => {
  const collector = await platform.account({ account: 'Collector' });
  const first = await saveSearch(collector, { athletes: { q: 'Quillon' } });
  await queryRows(
    platform.database,
    `insert into scouting.saved_search (account_id, name, kind, filter)
      select account_id, 'Copy', kind, filter from scouting.saved_search, generate_series(1, 98) where id = '${idOf(first)}'`,
  );
  const input = { name: 'Last', filter: { athletes: {} } };
  const responses = await Promise.all([1, 2, 3].map(() => collector.post('/saved-searches', input)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const rejected = responses.find(({ status }) => status === 409);
  expect(rejected?.body).toMatchObject({
    code: 'conflict',
    detail: 'Your account has 100 saved searches, the maximum. Delete one first.',
  });
  expect((await collector.delete(first, anyVersion)).status).toBe(200);
  expect((await collector.post('/saved-searches', input)).status).toBe(201);
});

test('changes of a search are events of its account only, and part of its history', async () => {
  const path = await saveSearch(scout, { athletes: { q: 'Quillon' } });
  await scout.patch(path, { name: 'Q' }, anyVersion);
  await scout.delete(path, anyVersion);
  await platform.settled();
  const query = `/events?resourceId=${idOf(path)}`;
  const types = (await scout.get(query)).body.data.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['saved_search.created', 'saved_search.updated', 'saved_search.deleted']);
  expect((await other.get(query)).body.data).toEqual([]);
  const history = await queryRows(
    platform.database,
    `select action, changes from scouting.history where resource_id = '${idOf(path)}' order by version`,
  );
  expect(history.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted']);
});
