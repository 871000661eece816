/** Changes of an athlete's age: they hide the profile as the new age requires and cannot bypass consent. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Academy' });
});
afterAll(() => platform.close());

const create = (more: object = {}) => createAthlete(owner, more);

describe('a change of the age', () => {
  test('to a minor hides the profile with a tombstone and requires consent', async () => {
    const { id, status } = await create({ dateOfBirth: bornFor(18, 3), status: 'ACTIVE' });
    expect(status).toBe('ACTIVE');
    await platform.settled();
    expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(200);
    const since = new Date(Date.now() - 1000).toISOString();
    const edited = await owner.patch(`/athletes/${id}`, { dateOfBirth: bornFor(17, 3) }, { 'if-match': '*' });
    expect(edited.body).toMatchObject({ status: 'PENDING_CONSENT', version: 2 });
    expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(404);
    const changes = await platform.anonymous.get(`/athletes?updatedSince=${since}&limit=100`);
    expect(JSON.stringify(changes.body.data)).not.toContain(id);
    expect(changes.body.tombstones).toContainEqual({ id, deleted: true });
    await platform.settled();
    expect((await platform.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
    expect((await owner.post(`/athletes/${id}/activate`)).body.code).toBe('consent_required');
  });

  test('to an adult does not bypass consent: the status stays until the owner activates the adult', async () => {
    const { id } = await create({ dateOfBirth: bornFor(17, 3), status: 'ACTIVE' });
    const edited = await owner.patch(`/athletes/${id}`, { dateOfBirth: bornFor(19, 3) }, { 'if-match': '*' });
    expect(edited.body.status).toBe('PENDING_CONSENT');
    expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(404);
    expect((await owner.post(`/athletes/${id}/activate`)).body.status).toBe('ACTIVE');
  });

  test('of a suspended athlete applies at the reinstatement, which then awaits consent or the owner', async () => {
    const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    const academy = await verifiedAccount(platform, moderator, 'Verified', { officer: false });
    const reinstated = async (id: string, dateOfBirth: string): Promise<string> => {
      expect((await moderator.post(`/athletes/${id}/suspend`, { reason: 'Reported' })).status).toBe(200);
      const edited = await academy.patch(`/athletes/${id}`, { dateOfBirth }, { 'if-match': '*' });
      expect(edited.body).toMatchObject({ status: 'SUSPENDED' });
      const response = await moderator.post(`/athletes/${id}/reinstate`);
      expect(response).toMatchObject({ status: 200 });
      return response.body.status;
    };
    const formerMinor = await createMinor(academy, ['PROFILE']);
    expect(await reinstated(formerMinor, bornFor(16, 3))).toBe('ACTIVE');
    expect(await reinstated(formerMinor, bornFor(19, 3))).toBe('PENDING_CONSENT');
    expect((await platform.anonymous.get(`/athletes/${formerMinor}`)).status).toBe(404);
    expect((await academy.post(`/athletes/${formerMinor}/activate`)).status).toBe(200);
    expect((await platform.anonymous.get(`/athletes/${formerMinor}`)).body).toMatchObject({ restricted: false });
    const { id } = await createAthlete(academy, { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' });
    expect(await reinstated(id, bornFor(15, 3))).toBe('PENDING_CONSENT');
  });

  test('that removes the age hides the profile', async () => {
    const { id } = await create({ dateOfBirth: bornFor(25, 3), status: 'ACTIVE' });
    const edited = await owner.patch(`/athletes/${id}`, { dateOfBirth: null }, { 'if-match': '*' });
    expect(edited.body.status).toBe('PENDING_CONSENT');
    expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(404);
  });

  test('adultConfirmed has no effect without a verified organization', async () => {
    const { id, status } = await create({ adultConfirmed: true, status: 'ACTIVE' });
    expect(status).toBe('PENDING_CONSENT');
    expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(404);
  });

  test('a response with adults is private, and one with minors is not cached at all', async () => {
    const { id } = await create({ dateOfBirth: bornFor(30, 3), status: 'ACTIVE' });
    expect((await platform.anonymous.get(`/athletes/${id}`)).headers.get('cache-control')).toBe('private, no-cache');
    expect((await owner.get('/athletes?mine=true&limit=100')).headers.get('cache-control')).toBe('private, no-store');
    const graph = await owner.graphql('{ athletes(filter: { mine: true }) { nodes { id } } }');
    expect(graph.headers.get('cache-control')).toMatch(/no-store/);
  });
});

describe('a birth date', () => {
  const year = new Date().getUTCFullYear();
  const rejections = [
    [{ dateOfBirth: '1899-12-31' }, '/dateOfBirth'],
    [{ dateOfBirth: '0001-01-01' }, '/dateOfBirth'],
    [{ dateOfBirth: bornFor(0, -3) }, '/dateOfBirth'],
    [{ dateOfBirth: '9999-12-31' }, '/dateOfBirth'],
    [{ birthYear: 1899 }, '/birthYear'],
    [{ birthYear: year + 1 }, '/birthYear'],
    [{ birthYear: 2100 }, '/birthYear'],
    [{ birthYear: 0 }, '/birthYear'],
    [{ dateOfBirth: '1990-05-05', birthYear: 1991 }, '/birthYear'],
  ] as const;

  test.each(rejections)('%j is rejected on every path, with its pointer', async (age, pointer) => {
    const rejected = { code: 'validation_failed', errors: [{ pointer }] };
    expect((await owner.post('/athletes', facts(age))).body).toMatchObject({ status: 422, ...rejected });
    expect((await owner.post('/athletes/batch', { items: [facts(age)] })).body.data).toMatchObject([{ error: rejected }]);
    const { id } = await create();
    expect((await owner.patch(`/athletes/${id}`, age, { 'if-match': '*' })).body).toMatchObject({ status: 422, ...rejected });
    const document = 'mutation ($input: CreateAthleteInput!) { createAthlete(input: $input) { id } }';
    const { body } = await owner.graphql(document, { input: facts(age) });
    expect(body.errors[0].extensions.code).toBe('validation_failed');
    expect(JSON.stringify(body.errors[0].extensions.errors)).toContain(pointer.slice(1));
  });

  test('is validated against the stored birth year', async () => {
    const { id } = await create({ birthYear: 1990 });
    const patch = (change: object) => owner.patch(`/athletes/${id}`, change, { 'if-match': '*' });
    expect((await patch({ dateOfBirth: '1991-05-05' })).body).toMatchObject({ status: 422, errors: [{ pointer: '/birthYear' }] });
    expect((await patch({ dateOfBirth: '1991-05-05', birthYear: null })).body).toMatchObject({
      dateOfBirth: '1991-05-05',
      birthYear: null,
    });
    expect((await patch({ birthYear: 1990 })).body).toMatchObject({ status: 422, errors: [{ pointer: '/birthYear' }] });
  });
});
