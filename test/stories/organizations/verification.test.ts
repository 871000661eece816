/** Verification of athletes and organizations: a change of the identity ends it, with its privileges. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from './clubs.ts';
import { bornFor, createAthlete, facts, lastName } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
let mixed: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, moderator, mixed] = await Promise.all([
    platform.account({ account: 'Club' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
    platform.account({ account: 'Both', scopes: ['moderation:write', 'athletes:write', 'organizations:write'] }),
  ]);
});
afterAll(() => platform.close());

describe('verification of an athlete', () => {
  const adult = { dateOfBirth: bornFor(25, 3), givenName: 'Ada', familyName: 'Quill', status: 'ACTIVE' };
  const verified = async (more: object = {}): Promise<string> => {
    const { id } = await createAthlete(owner, { ...adult, ...more });
    const response = await moderator.post(`/athletes/${id}/verify`, { method: 'Passport' });
    expect(response.body).toMatchObject({ verification: { status: 'VERIFIED' } });
    return id;
  };
  const found = async (query: string, id: string): Promise<boolean> =>
    (await platform.anonymous.get(`/athletes?limit=100&${query}`)).body.data.some((each: { id: string }) => each.id === id);
  const patch = (id: string, change: object) => owner.patch(`/athletes/${id}`, change, { 'if-match': '*' });

  describe('a change by the owner of', () => {
    test.each([
      ['the name', { displayName: 'Somebody Else' }],
      ['a given name', { givenName: 'Eve' }],
      ['a removed family name', { familyName: null }],
      ['the nickname', { knownAs: 'The Rocket' }],
      ['a name in another language', { names: [{ language: 'ja', value: 'ロケット' }] }],
      ['the birth date', { dateOfBirth: bornFor(24, 3) }],
      ['the birth date to a year', { dateOfBirth: null, birthYear: 1990 }],
      ['the sex', { sex: 'MALE' }],
      ['the nationalities', { nationalities: ['NG', 'FR'] }],
      ['the sporting nationality', { sportingNationality: 'FRA' }],
    ])('%s makes the verification pending, in every response and projection', async (_, change) => {
      const id = await verified();
      await platform.settled();
      expect(await found('verified=true', id)).toBe(true);
      const score = async (): Promise<number> => (await platform.anonymous.get(`/scouting/prospects/${id}`)).body.talentScore;
      const before = await score();
      expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'PENDING' }, version: 3 });
      expect([await found('verified=true', id), await found('verified=false', id)]).toEqual([false, true]);
      await platform.settled();
      expect(await score()).toBeLessThan(before);
      const repeated = await moderator.post(`/athletes/${id}/verify`, { method: 'Passport' });
      expect(repeated.body).toMatchObject({ verification: { status: 'VERIFIED' } });
    });

    test.each([
      ['a member outside the identity', { heightCm: 171, residence: { country: 'DE' }, visibility: 'PUBLIC' }],
      ['an unchanged identity', { displayName: 'Quillon Same', nationalities: ['NG'], sex: 'FEMALE' }],
    ])('%s keeps the verification', async (_, change) => {
      const id = await verified({ displayName: 'Quillon Same' });
      expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'VERIFIED' } });
    });

    test('the name by a batch makes the verification pending; repeating the batch changes nothing', async () => {
      const id = await verified({ displayName: 'Batch' });
      const item = facts({ ...adult, displayName: 'Batch', externalIds: [{ scheme: 'TEST', value: lastName() }] });
      expect((await owner.post('/athletes/batch', { items: [item] })).body.data).toMatchObject([{ id, outcome: 'UNCHANGED' }]);
      await owner.post('/athletes/batch', { items: [{ ...item, displayName: 'Other' }] });
      expect((await owner.get(`/athletes/${id}`)).body.verification.status).toBe('PENDING');
    });

    test('the name of an unverified athlete changes nothing', async () => {
      const { id } = await createAthlete(owner, adult);
      expect((await patch(id, { displayName: 'New' })).body).toMatchObject({ verification: { status: 'UNVERIFIED' } });
    });
  });

  describe('a moderator', () => {
    const key = { 'idempotency-key': 'moderation' };

    test.each([
      ['verify', { method: 'Passport' }, 'a minor', { dateOfBirth: bornFor(15, 3) }],
      ['reject', { reason: 'No such person' }, 'a draft', { ...adult, status: 'DRAFT' }],
      ['verify', { method: 'Passport' }, 'a private profile', { ...adult, visibility: 'PRIVATE' }],
      ['suspend', { reason: 'Fake' }, 'a profile hidden by it', adult],
    ])('a repeated %s with %j of %s replays the response and reveals nothing else', async (verb, body, _, about) => {
      const { id } = await createAthlete(owner, about);
      const once = { 'idempotency-key': `${verb}-${id}` };
      const first = await moderator.post(`/athletes/${id}/${verb}`, body, once);
      expect({ status: first.status, body: first.body }).toMatchObject({ status: 200, body: { id } });
      const repeated = await moderator.post(`/athletes/${id}/${verb}`, body, once);
      expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(repeated.body).toEqual(first.body);
      expect((await moderator.get(`/athletes/${id}`)).status).toBe(404);
      for (const response of [first, repeated]) expect(response.headers.get('cache-control')).toBe('no-store');
    });

    test('reinstates, and replays the request with the same key', async () => {
      const { id } = await createAthlete(owner, adult);
      await moderator.post(`/athletes/${id}/suspend`, { reason: 'Test' });
      for (const replayed of [null, 'true']) {
        const response = await moderator.post(`/athletes/${id}/reinstate`, {}, key);
        expect([response.status, response.body.status, response.headers.get('idempotent-replayed')]).toEqual([
          200,
          'ACTIVE',
          replayed,
        ]);
      }
    });

    test('cannot decide on resources of the same account', async () => {
      const { id } = await createAthlete(mixed, adult);
      for (const verb of ['verify', 'reject', 'suspend']) {
        const response = await mixed.post(`/athletes/${id}/${verb}`, {});
        expect([response.status, response.body.code]).toEqual([403, 'not_owner']);
      }
      await moderator.post(`/athletes/${id}/suspend`, {});
      expect((await mixed.post(`/athletes/${id}/reinstate`, {})).body.code).toBe('not_owner');
    });

    test('without the scope is rejected before anything is revealed', async () => {
      const { id } = await createAthlete(owner, { dateOfBirth: bornFor(15, 3) });
      expect((await owner.post(`/athletes/${id}/verify`, {})).body.code).toBe('insufficient_scope');
    });
  });
});

describe('verification of an organization', () => {
  const facts = { name: 'Verified FC', legalName: 'Verified FC e. V.', website: 'https://verified.example', country: 'DE' };
  async function verified(more: object = {}, account = owner): Promise<string> {
    const { id } = await createClub(account, { ...facts, ...more });
    const response = await moderator.post(`/organizations/${id}/verify`, { method: 'Register' });
    expect(response.body).toMatchObject({ verification: { status: 'VERIFIED' } });
    return id;
  }
  const patch = (id: string, change: object) => owner.patch(`/organizations/${id}`, change, { 'if-match': '*' });

  describe('a change by the owner of', () => {
    test.each([
      ['name', { name: 'FIFA' }],
      ['legalName', { legalName: null }],
      ['country', { country: 'AT' }],
      ['website', { website: 'https://elsewhere.example' }],
      ['emailDomain', { emailDomain: 'elsewhere.example' }],
    ])('%s makes the verification pending', async (_, change) => {
      const id = await verified();
      expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'PENDING' }, version: 3 });
      const filtered = await platform.anonymous.get('/organizations?verified=true&limit=100');
      expect(JSON.stringify(filtered.body)).not.toContain(id);
    });

    test.each([
      ['licenceNumber', 'X-2'],
      ['licenceBody', 'Nobody'],
      ['licenceExpiresAt', '2099-01-01'],
    ])('%s of a recruiter makes the verification pending', async (member, value) => {
      const id = await verified({ type: 'RECRUITER', licenceNumber: 'X-1', licenceBody: 'FA', licenceExpiresAt: '2027-01-01' });
      expect((await patch(id, { [member]: value })).body).toMatchObject({ verification: { status: 'PENDING' } });
    });

    test.each([
      [
        'a member outside the identity',
        { city: 'Ulm', aliases: ['VFC'], safeguarding: { officerName: 'Kim' }, foundedYear: 1900 },
      ],
      ['an unchanged identity', facts],
    ])('%s keeps the verification', async (_, change) => {
      const id = await verified();
      expect((await patch(id, change)).body).toMatchObject({ verification: { status: 'VERIFIED' } });
    });

    test('the name by a batch makes the verification pending; repeating the batch changes nothing', async () => {
      const externalIds = [{ scheme: 'CRM', value: 'batch' }];
      const id = await verified({ externalIds });
      const item = { type: 'CLUB', sports: ['FOOTBALL'], ...facts, externalIds };
      const repeated = await owner.post('/organizations/batch', { items: [item] });
      expect(repeated.body.data).toMatchObject([{ id, outcome: 'UNCHANGED' }]);
      await owner.post('/organizations/batch', { items: [{ ...item, name: 'FIFA' }] });
      expect((await owner.get(`/organizations/${id}`)).body.verification.status).toBe('PENDING');
    });

    test('the name of an unverified organization changes nothing', async () => {
      const { id } = await createClub(owner);
      expect((await patch(id, { name: 'New' })).body).toMatchObject({ verification: { status: 'UNVERIFIED' } });
    });

    test('the identity ends the privileges of the verification until a moderator verifies it again', async () => {
      const account = await platform.account({ account: 'Powers' });
      const id = await verified({}, account);
      const { id: athleteId } = await createAthlete(owner, {
        dateOfBirth: bornFor(22, 50),
        status: 'ACTIVE',
        visibility: 'ORGANIZATIONS',
      });
      const isVisible = async (): Promise<boolean> => {
        await platform.settled();
        return (await account.get(`/athletes/${athleteId}`)).status === 200;
      };
      expect(await isVisible()).toBe(true);
      await account.patch(`/organizations/${id}`, { name: 'Somebody Else' }, { 'if-match': '*' });
      expect(await isVisible()).toBe(false);
      await moderator.post(`/organizations/${id}/verify`, { method: 'Register' });
      expect(await isVisible()).toBe(true);
    });
  });

  describe('a moderator', () => {
    test.each([
      ['verify', { method: 'Register' }],
      ['reject', { reason: 'No such club' }],
    ])('a repeated %s of a draft replays the response and reveals nothing else', async (verb, body) => {
      const { id } = await createClub(owner, { status: 'DRAFT' });
      const once = { 'idempotency-key': `${verb}-${id}` };
      const first = await moderator.post(`/organizations/${id}/${verb}`, body, once);
      const repeated = await moderator.post(`/organizations/${id}/${verb}`, body, once);
      expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual([200, 'true', first.body]);
      expect((await moderator.get(`/organizations/${id}`)).status).toBe(404);
    });

    test('suspends, and replays the request with the same key', async () => {
      const { id } = await createClub(owner);
      for (const replayed of [null, 'true']) {
        const response = await moderator.post(`/organizations/${id}/suspend`, {}, { 'idempotency-key': 'suspend' });
        expect([response.status, response.body.status, response.headers.get('idempotent-replayed')]).toEqual([
          200,
          'SUSPENDED',
          replayed,
        ]);
      }
    });

    test('cannot decide on resources of the same account', async () => {
      const { id } = await createClub(mixed);
      for (const verb of ['verify', 'reject', 'suspend']) {
        const response = await mixed.post(`/organizations/${id}/${verb}`, {});
        expect([response.status, response.body.code]).toEqual([403, 'not_owner']);
      }
    });
  });
});
