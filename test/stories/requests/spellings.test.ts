/** Values that can be spelled in several ways: ids in any case, and names with spaces and invisible characters. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, facts } from '../athletes/people.ts';
import { playLeague } from '../competitions/leagues.ts';
import { createAdult, createClub, createTeam, idsOf, memberOf } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let clubId: string;
let athleteId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Spellings' });
  clubId = (await createClub(owner)).id;
  athleteId = (await createAdult(owner)).id;
});
afterAll(() => platform.close());

describe('an id in upper case', () => {
  test('is the same id in a path, below it and in a query', async () => {
    const id = clubId.toUpperCase();
    expect(id).not.toBe(clubId);
    expect((await owner.get(`/organizations/${id}`)).body).toMatchObject({ id: clubId });
    expect((await owner.get(`/athletes/${athleteId.toUpperCase()}?include=statistics`)).body).toMatchObject({ id: athleteId });
    const { id: teamId } = await createTeam(owner, clubId);
    expect(idsOf(await owner.get(`/organizations/teams?organizationId=${id}`))).toEqual([teamId]);
    expect((await owner.patch(`/organizations/${id}`, { city: 'Bern' }, { 'if-match': '*' })).body).toMatchObject({ id: clubId });
  });

  test('is the same id in bodies, batches and for idempotency', async () => {
    const [organizationId, personId] = [clubId.toUpperCase(), athleteId.toUpperCase()];
    const key = { 'idempotency-key': 'upper' };
    const first = await owner.post('/organizations/memberships', memberOf(organizationId, personId), key);
    expect({ status: first.status, body: first.body }).toMatchObject({ status: 201 });
    expect(first.body).toMatchObject({ organization: { id: clubId } });
    const again = await owner.post('/organizations/memberships', memberOf(clubId, athleteId), key);
    expect([again.headers.get('idempotent-replayed'), again.body.id]).toEqual(['true', first.body.id]);
    const items = [{ ...memberOf(organizationId, personId), externalIds: [{ scheme: 'UPPER', value: '1' }] }];
    const { body } = await owner.post('/organizations/memberships/batch', { items });
    expect(body.data[0]).toMatchObject({ outcome: 'FAILED', error: { code: 'conflict' } });
  });

  test('is the same id in GraphQL, as a literal and as a variable', async () => {
    const id = clubId.toUpperCase();
    const { body } = await owner.graphql(
      `query ($id: ID!, $ids: [ID!]!) { literal: organization(id: "${id}") { id } variable: organization(id: $id) { id } nodes(ids: $ids) { id } }`,
      { id, ids: [id] },
    );
    expect(body).toMatchObject({ data: { literal: { id: clubId }, variable: { id: clubId }, nodes: [{ id: clubId }] } });
  });

  test('has the same cursors', async () => {
    await createTeam(owner, clubId);
    await createTeam(owner, clubId);
    const path = '/organizations/teams?limit=1&organizationId=';
    const { body } = await owner.get(`${path}${clubId}`);
    const next = await owner.get(`${path}${clubId.toUpperCase()}&cursor=${body.page.nextCursor}`);
    expect({ status: next.status, count: next.body.data.length }).toEqual({ status: 200, count: 1 });
  });
});

describe('a name', () => {
  const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'] });

  test('loses the spaces around it, in every request', async () => {
    const { body } = await owner.post('/organizations', club('  FC Example\u00a0 '));
    expect(body.name).toBe('FC Example');
    const patched = await owner.patch(`/organizations/${body.id}`, { name: ' FC New ' }, { 'if-match': '*' });
    expect(patched.body.name).toBe('FC New');
    const item = { ...club(' FC Batch'), externalIds: [{ scheme: 'TRIM', value: '1' }] };
    await owner.post('/organizations/batch', { items: [item] });
    const { body: again } = await owner.post('/organizations/batch', { items: [{ ...item, name: 'FC Batch ' }] });
    expect(again.data[0]).toMatchObject({ outcome: 'UNCHANGED' });
    const input = club(' FC Graph ');
    const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { name } }';
    expect((await owner.graphql(create, { input })).body.data.createOrganization.name).toBe('FC Graph');
  });

  test.each([
    ['spaces', ' \u00a0\u3000', 'blank'],
    ['zero-width characters', '\u200b\u200d\ufeff', 'blank'],
    ['a control character', 'FC\u0007Example', 'control'],
    ['a line break', 'FC\nExample', 'control'],
    ['a C1 control character', 'FC\u0085Example', 'control'],
    ['a bidirectional override', 'FC \u202eelpmaxE', 'control'],
    ['a bidirectional isolate', 'FC \u2066Example\u2069', 'control'],
  ])('of or with %s is rejected by both APIs', async (_, name, reason) => {
    const { status, body } = await owner.post('/organizations', club(name));
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/name' }] } });
    expect(body.errors[0].detail).toContain(reason);
    const athlete = facts({ dateOfBirth: bornFor(25, 3), displayName: name });
    expect((await owner.post('/athletes', athlete)).body).toMatchObject({ errors: [{ pointer: '/displayName' }] });
    const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { name } }';
    const graph = await owner.graphql(create, { input: club(name) });
    expect(graph.body.errors).toMatchObject([{ extensions: { code: 'validation_failed' } }]);
  });

  test('of a person, a place or a group follows the same rules', async () => {
    const staff = (personName: string) => ({ personType: 'STAFF', organizationId: clubId, role: 'COACH', personName });
    const path = '/organizations/memberships';
    expect((await owner.post(path, staff(' Ana Coach '))).body).toMatchObject({ personName: 'Ana Coach' });
    expect((await owner.post('/organizations', { ...club('City'), city: '\u00a0Bern ' })).body).toMatchObject({ city: 'Bern' });
    for (const name of ['Ana\u202ehcaoC', 'Ana\nCoach', '\u200b\u200d']) {
      expect((await owner.post(path, staff(name))).body).toMatchObject({ status: 422, errors: [{ pointer: '/personName' }] });
      const safeguarding = { officerName: name };
      expect(
        (await owner.post('/organizations', { ...club('Place'), city: name, region: name, safeguarding })).body,
      ).toMatchObject({
        status: 422,
        errors: expect.arrayContaining(
          ['/city', '/region', '/safeguarding/officerName'].map((pointer) => expect.objectContaining({ pointer })),
        ),
      });
    }
    const { seasonId } = await playLeague(owner, ['One', 'Two']);
    const stage = { name: 'Groups', type: 'GROUP', order: 1, groups: [' A ', 'B'] };
    const created = await owner.post(`/competitions/seasons/${seasonId}/stages`, stage);
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201, body: { groups: ['A', 'B'] } });
  });

  test('keeps joiners, right-to-left letters, combining marks and emoji', async () => {
    for (const name of ['می‌خواهم', 'نادي الهلال', 'Ze\u0301', '👩‍👩‍👧 United', '東京 FC', 'Ł\u00adódź'])
      expect((await owner.post('/organizations', club(name))).body.name).toBe(name);
  });

  test('of hostile length is rejected in linear time', async () => {
    const before = process.cpuUsage();
    expect((await owner.post('/organizations', club(`${'\u200b'.repeat(100_000)}\u202e`))).status).toBe(422);
    expect((await owner.post('/organizations', club(`${'a'.repeat(100_000)}\u202e`))).status).toBe(422);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});
