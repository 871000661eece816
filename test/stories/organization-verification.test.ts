/** A moderator's word on an organization holds for who it was about, and gives its powers no longer than that. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { createClub } from './clubs.ts';
import { bornFor, createAthlete } from './people.ts';

let world: World;
let owner: Client;
let moderator: Client;
let mixed: Client;
beforeAll(async () => {
  world = await openWorld();
  [owner, moderator, mixed] = await Promise.all([
    world.account({ account: 'Club' }),
    world.account({ account: 'Moderation', scopes: ['moderation:write'] }),
    world.account({ account: 'Both', scopes: ['moderation:write', 'organizations:write'] }),
  ]);
});
afterAll(() => world.close());

const facts = { name: 'Verified FC', legalName: 'Verified FC e. V.', website: 'https://verified.example', country: 'DE' };
async function verified(more: object = {}, account = owner): Promise<string> {
  const { id } = await createClub(account, { ...facts, ...more });
  const answer = await moderator.post(`/organizations/${id}/verify`, { method: 'Register' });
  expect(answer.body).toMatchObject({ verification: { status: 'VERIFIED' } });
  return id;
}
const patch = (id: string, change: object) => owner.patch(`/organizations/${id}`, change, { 'if-match': '*' });

describe('an owner’s change of', () => {
  test.each([
    ['name', { name: 'FIFA' }],
    ['legalName', { legalName: null }],
    ['country', { country: 'AT' }],
    ['website', { website: 'https://elsewhere.example' }],
    ['emailDomain', { emailDomain: 'elsewhere.example' }],
  ])('%s awaits a moderator again', async (_, change) => {
    const id = await verified();
    expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'PENDING' }, version: 3 });
    const filtered = await world.anonymous.get('/organizations?verified=true&limit=100');
    expect(JSON.stringify(filtered.body)).not.toContain(id);
  });

  test.each([
    ['licenceNumber', 'X-2'],
    ['licenceBody', 'Nobody'],
    ['licenceExpiresAt', '2099-01-01'],
  ])('%s of a recruiter awaits a moderator again', async (member, value) => {
    const id = await verified({ type: 'RECRUITER', licenceNumber: 'X-1', licenceBody: 'FA', licenceExpiresAt: '2027-01-01' });
    expect((await patch(id, { [member]: value })).body).toMatchObject({ verification: { status: 'PENDING' } });
  });

  test.each([
    ['what is not the identity', { city: 'Ulm', aliases: ['VFC'], safeguarding: { officerName: 'Kim' }, foundedYear: 1900 }],
    ['the identity to what it is', facts],
  ])('%s keeps the verification', async (_, change) => {
    const id = await verified();
    expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'VERIFIED' } });
  });

  test('the name by a batch awaits a moderator as well; the same batch again keeps it', async () => {
    const externalIds = [{ scheme: 'CRM', value: 'batch' }];
    const id = await verified({ externalIds });
    const item = { type: 'CLUB', sports: ['FOOTBALL'], ...facts, externalIds };
    const again = await owner.post('/organizations/batch', { items: [item] });
    expect(again.body.data).toMatchObject([{ id, outcome: 'UNCHANGED' }]);
    await owner.post('/organizations/batch', { items: [{ ...item, name: 'FIFA' }] });
    expect((await owner.get(`/organizations/${id}`)).body.verification.status).toBe('PENDING');
  });

  test('the name of what was never verified asks for nothing', async () => {
    const { id } = await createClub(owner);
    expect((await patch(id, { name: 'New' })).body).toMatchObject({ verification: { status: 'UNVERIFIED' } });
  });

  test('the identity ends the powers of the verification, until a moderator gives them again', async () => {
    const account = await world.account({ account: 'Powers' });
    const id = await verified({}, account);
    const { id: athleteId } = await createAthlete(owner, {
      dateOfBirth: bornFor(22, 50),
      status: 'ACTIVE',
      visibility: 'ORGANIZATIONS',
    });
    const sees = async (): Promise<boolean> => {
      await world.settled();
      return (await account.get(`/athletes/${athleteId}`)).status === 200;
    };
    expect(await sees()).toBe(true);
    await account.patch(`/organizations/${id}`, { name: 'Somebody Else' }, { 'if-match': '*' });
    expect(await sees()).toBe(false);
    await moderator.post(`/organizations/${id}/verify`, { method: 'Register' });
    expect(await sees()).toBe(true);
  });
});

describe('a moderator', () => {
  test.each([
    ['verify', { method: 'Register' }],
    ['reject', { reason: 'No such club' }],
  ])('who repeats to %s a draft is told the same again, and reads nothing else of it', async (verb, body) => {
    const { id } = await createClub(owner, { status: 'DRAFT' });
    const once = { 'idempotency-key': `${verb}-${id}` };
    const first = await moderator.post(`/organizations/${id}/${verb}`, body, once);
    const again = await moderator.post(`/organizations/${id}/${verb}`, body, once);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body]);
    expect((await moderator.get(`/organizations/${id}`)).status).toBe(404);
  });

  test('suspends, twice with one key', async () => {
    const { id } = await createClub(owner);
    for (const replayed of [null, 'true']) {
      const answer = await moderator.post(`/organizations/${id}/suspend`, {}, { 'idempotency-key': 'suspend' });
      expect([answer.status, answer.body.status, answer.headers.get('idempotent-replayed')]).toEqual([
        200,
        'SUSPENDED',
        replayed,
      ]);
    }
  });

  test('decides on nothing of the own account', async () => {
    const { id } = await createClub(mixed);
    for (const verb of ['verify', 'reject', 'suspend']) {
      const answer = await mixed.post(`/organizations/${id}/${verb}`, {});
      expect([answer.status, answer.body.code]).toEqual([403, 'not_owner']);
    }
  });
});
