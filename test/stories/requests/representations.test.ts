/** Responses contain exactly the selected members, and are not sent again to clients that have them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'Owner' }), platform.account({ account: 'Other' })]);
  const items = Array.from({ length: 9 }, (_, index) => ({
    type: 'CLUB',
    name: `Club ${index}`,
    country: 'NO',
    sports: ['HANDBALL'],
    status: 'ACTIVE',
    externalIds: [{ scheme: 'LIST', value: `${index}` }],
  }));
  expect((await owner.post('/organizations/batch', { items })).body.summary.created).toBe(9);
});
afterAll(() => platform.close());

const ids = (response: ApiResponse): string[] => response.body.data.map((each: { id: string }) => each.id);

describe('a response', () => {
  test('contains the members of fields, and those of include', async () => {
    const list = await platform.anonymous.get('/organizations?country=NO&limit=3&fields=id,name');
    for (const row of list.body.data) expect(Object.keys(row).toSorted()).toEqual(['id', 'name']);
    const [{ id }] = list.body.data;
    await platform.settled();
    platform.statements();
    const one = await platform.anonymous.get(`/organizations/${id}?fields=name`);
    expect(one.body).toEqual({ name: expect.any(String) });
    expect(platform.statements()).toEqual(['organizations.byIds']);
    const included = await platform.anonymous.get(`/organizations/${id}?fields=name&include=teams`);
    expect(Object.keys(included.body).toSorted()).toEqual(['name', 'teams']);
    expect((await platform.anonymous.get(`/organizations/${id}`)).body.teams).toBeUndefined();
  });

  test('is not sent again to a client that has it: ETag and 304, for lists and single resources', async () => {
    const [id] = ids(await platform.anonymous.get('/organizations?externalId=LIST:3'));
    for (const path of [`/organizations/${id ?? ''}`, '/organizations?externalId=LIST:3']) {
      const { headers } = await platform.anonymous.get(path);
      const etag = headers.get('etag') ?? '';
      expect(etag.startsWith('W/')).toBe(path.includes('?'));
      const repeated = await platform.anonymous.get(path, { 'if-none-match': etag });
      expect([repeated.status, repeated.body, repeated.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await platform.anonymous.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
      expect((await platform.anonymous.get(path, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
      await owner.patch(`/organizations/${id ?? ''}`, { city: `Moss ${path.length}` }, { 'if-match': '*' });
      expect((await platform.anonymous.get(path, { 'if-none-match': etag })).status).toBe(200);
    }
    expect((await platform.anonymous.get(`/organizations/${id ?? ''}`, { 'if-match': '"1"' })).status).toBe(412);
  });

  test('keeps its ETag while it is unchanged, also with further pages', async () => {
    const path = '/organizations?country=NO&limit=2&sort=name';
    const { headers } = await platform.anonymous.get(path);
    expect((await platform.anonymous.get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  });

  test.each([
    '/organizations',
    '/organizations/teams',
    '/organizations/memberships',
    '/athletes',
    '/athletes/statistics',
    '/competitions',
    '/competitions/seasons',
    '/opportunities',
  ])('%s?mine=true is 401 without a key, and returns own resources with one', async (path) => {
    const { status, body, headers } = await platform.anonymous.get(`${path}?mine=true`);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'api_key_missing' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect((await other.get(`${path}?mine=true`)).body.data).toEqual([]);
    expect((await owner.get(`${path}?mine=false`)).status).toBe(200);
  });
});

describe('fields of lists', () => {
  let owner: Client;
  let id: string;
  beforeAll(async () => {
    owner = await platform.account({ account: 'Owner' });
    const club = { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const { body: organization } = await owner.post('/organizations', club);
    ({ id } = await createAthlete(owner, {
      status: 'ACTIVE',
      dateOfBirth: bornFor(25, 3),
      givenName: 'Ada',
      familyName: 'Quillon',
      knownAs: 'Q',
      sportingNationality: 'NGR',
      heightCm: 181,
      weightKg: 72.5,
      dominantFoot: 'LEFT',
      dominantHand: 'RIGHT',
      weightClass: '-73kg',
      education: { institutionId: organization.id, graduationYear: 2027, gpa: 3.5, gpaScale: 4 },
      availability: { openToOpportunities: true, from: '2027-01-01', types: ['TRIAL'], relocation: 'INTERNATIONAL' },
      languages: ['de', 'en'],
      media: [{ kind: 'VIDEO', url: 'https://example.org/v.mp4', title: 'Goals' }],
    }));
    const membership = { personType: 'ATHLETE', personId: id, organizationId: organization.id, role: 'PLAYER' };
    await owner.post('/organizations/memberships', membership);
    const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
    await owner.post('/athletes/statistics', { athleteId: id, ...numbers });
    await platform.settled();
  });

  /** Every field of a type as a selection, two levels deep. */
  function selections(type: GraphQLObjectType, depth: number): string[] {
    return Object.values(type.getFields()).flatMap(({ name, type: of }) => {
      const named = getNamedType(of);
      if (!isObjectType(named)) return [name];
      const inner = depth === 0 ? [] : selections(named, depth - 1);
      return inner.length === 0 ? [] : [`${name} { ${inner.join(' ')} }`];
    });
  }

  test('athletes', async () => {
    const { body: introspected } = await owner.graphql(getIntrospectionQuery());
    const athlete = buildClientSchema(introspected.data).getType('Athlete');
    if (!isObjectType(athlete)) throw new Error('There are no athletes.');
    const fields = ['__typename', ...selections(athlete, 2)];
    expect(fields.length).toBeGreaterThan(30);
    // an athlete with a date of birth has no birth year, without a membership no team, without a decision no reason; the URL of a photo changes with time
    const empty = ['birthYear', 'team', 'moderationReason', 'imageUrl'];
    for (const field of fields) {
      const alone = await owner.graphql(`query ($id: ID!) { athlete(id: $id) { ${field} } }`, { id });
      // three times: an area interprets the first query of a text and compiles it afterwards
      for (const _ of [1, 2, 3]) {
        const listed = await owner.graphql(`{ athletes(first: 5, filter: { mine: true }) {
        nodes { ${field} } edges { ...on AthleteEdge { node { ...One } } } } } fragment One on Athlete { ${field} }`);
        const expected = alone.body.data.athlete;
        expect(listed.body).toEqual({ data: { athletes: { nodes: [expected], edges: [{ node: expected }] } } });
      }
      const [name = ''] = field.split(' ', 1);
      expect([name, alone.body.data.athlete[name] === null]).toEqual([name, empty.includes(name)]);
    }
  });
});
