/** An account's adult confirmation counts only while the account has a verified organization. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { blockProjection } from '../../relay.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let moderator: Client;
let owner: Client;
let organizationId: string;
let accounts = 0;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
beforeEach(async () => {
  owner = await platform.account({ account: `Federation ${(accounts += 1)}` });
  const club = { type: 'CLUB', name: 'Federation', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  organizationId = (await owner.post('/organizations', club)).body.id;
});
afterAll(() => platform.close());

const ok = async (response: Promise<{ status: number }>) => expect(await response).toMatchObject({ status: 200 });
const step = async (verb: string) => {
  await ok(moderator.post(`/organizations/${organizationId}/${verb}`, verb === 'suspend' ? { reason: 'Test' } : {}));
  await platform.settled();
};
const patch = async (id: string, change: object) => (await owner.patch(`/athletes/${id}`, change, { 'if-match': '*' })).body;
const isPublic = async (id: string): Promise<boolean> => (await platform.anonymous.get(`/athletes/${id}`)).status === 200;

test('a confirmation makes an athlete of unknown age public', async () => {
  await step('verify');
  const { id, status } = await createAthlete(owner, { adultConfirmed: true, status: 'ACTIVE' });
  expect([status, await isPublic(id)]).toEqual(['ACTIVE', true]);
});

test('a confirmation does not override a birth date', async () => {
  await step('verify');
  const { id, status } = await createAthlete(owner, { adultConfirmed: true, dateOfBirth: bornFor(16, 3), status: 'ACTIVE' });
  expect([status, await isPublic(id)]).toEqual(['PENDING_CONSENT', false]);
});

test('without a verified organization, an athlete whose birth date is removed is a minor again', async () => {
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(30, 3), adultConfirmed: true, status: 'ACTIVE' });
  expect(await isPublic(id)).toBe(true);
  expect(await patch(id, { dateOfBirth: null })).toMatchObject({ status: 'PENDING_CONSENT' });
  expect(await isPublic(id)).toBe(false);
  expect((await owner.post(`/athletes/${id}/activate`)).body.code).toBe('consent_required');
});

test('a batch cannot keep the adult status by omitting or repeating the confirmation', async () => {
  for (const more of [{}, { adultConfirmed: true }]) {
    const item = facts({ dateOfBirth: bornFor(30, 3), adultConfirmed: true, status: 'ACTIVE' });
    const { body: first } = await owner.post('/athletes/batch', { items: [item] });
    const { adultConfirmed: _, ...rest } = item as typeof item & { adultConfirmed: boolean };
    await owner.post('/athletes/batch', { items: [{ ...rest, ...more, dateOfBirth: null }] });
    expect(await isPublic(first.data[0].id)).toBe(false);
  }
});

test.each([
  ['is rejected', 'reject'],
  ['is suspended', 'suspend'],
])('when the organization %s, the athlete is hidden with a tombstone until the owner activates it again', async (_, verb) => {
  await step('verify');
  const { id } = await createAthlete(owner, { adultConfirmed: true, status: 'ACTIVE' });
  const { id: known } = await createAthlete(owner, { adultConfirmed: true, dateOfBirth: bornFor(30, 3), status: 'ACTIVE' });
  const since = new Date(Date.now() - 1).toISOString();
  await step(verb);
  expect([await isPublic(id), await isPublic(known)]).toEqual([false, true]);
  expect((await platform.anonymous.get(`/athletes?updatedSince=${since}&limit=100`)).body.tombstones).toContainEqual({
    id,
    deleted: true,
  });
  expect((await owner.get(`/athletes/${id}`)).body).toMatchObject({ status: 'PENDING_CONSENT', version: 2 });
  await eventually(async () => {
    await platform.settled();
    expect((await platform.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
  });
  expect((await owner.post(`/athletes/${id}/activate`)).body.code).toBe('consent_required');
  await step(verb === 'suspend' ? 'reinstate' : 'verify');
  expect(await isPublic(id)).toBe(false);
  expect((await owner.post(`/athletes/${id}/activate`)).body.status).toBe('ACTIVE');
  expect(await isPublic(id)).toBe(true);
});

test('an athlete confirmed after the loss but before its projection is hidden too', async () => {
  await step('verify');
  const blocked = await blockProjection(platform.database, 'athletes', 'organizations');
  let id: string;
  try {
    await ok(moderator.post(`/organizations/${organizationId}/suspend`, { reason: 'Test' }));
    id = (await createAthlete(owner, { adultConfirmed: true, status: 'ACTIVE' })).id;
  } finally {
    await blocked.release();
  }
  await platform.settled();
  expect((await owner.get(`/athletes/${id}`)).body.status).toBe('PENDING_CONSENT');
});

test('a loss hides hundreds of athletes and keeps drafts as drafts', async () => {
  await step('verify');
  for (const count of [500, 20]) {
    const items = Array.from({ length: count }, () => facts({ adultConfirmed: true, status: 'ACTIVE' }));
    expect((await owner.post('/athletes/batch', { items })).body.summary).toMatchObject({ created: count });
  }
  const { id: draft } = await createAthlete(owner, { adultConfirmed: true });
  await step('suspend');
  const { body } = await owner.get('/athletes?mine=true&limit=100');
  expect(new Set(body.data.map((each: { id: string; status: string }) => (each.id === draft ? 'draft' : each.status)))).toEqual(
    new Set(['draft', 'PENDING_CONSENT']),
  );
  expect((await owner.get(`/athletes/${draft}`)).body.status).toBe('DRAFT');
  const since = new Date(Date.now() - 60_000).toISOString();
  const { body: changes } = await platform.anonymous.get(`/athletes?updatedSince=${since}&limit=100`);
  expect(changes.tombstones.length).toBeGreaterThan(50);
});

test('another verified organization of the account keeps the confirmation effective', async () => {
  await step('verify');
  const { id } = await createAthlete(owner, { adultConfirmed: true, status: 'ACTIVE' });
  const first = organizationId;
  const club = { type: 'CLUB', name: 'Second', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  organizationId = (await owner.post('/organizations', club)).body.id;
  await step('verify');
  organizationId = first;
  await step('suspend');
  expect(await isPublic(id)).toBe(true);
  expect(await patch(id, { heightCm: 180 })).toMatchObject({ status: 'ACTIVE' });
});
