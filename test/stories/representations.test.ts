/** What comes back is what was asked for, and is not sent again to who has it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
let other: Client;
beforeAll(async () => {
  world = await openWorld();
  [owner, other] = await Promise.all([world.account({ account: 'Owner' }), world.account({ account: 'Other' })]);
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
afterAll(() => world.close());

const ids = (answer: Answer): string[] => answer.body.data.map((each: { id: string }) => each.id);

describe('what comes back', () => {
  test('is what was asked for: fields, and include on top', async () => {
    const list = await world.anonymous.get('/organizations?country=NO&limit=3&fields=id,name');
    for (const row of list.body.data) expect(Object.keys(row).toSorted()).toEqual(['id', 'name']);
    const [{ id }] = list.body.data;
    await world.settled();
    world.statements();
    const one = await world.anonymous.get(`/organizations/${id}?fields=name`);
    expect(one.body).toEqual({ name: expect.any(String) });
    expect(world.statements()).toEqual(['organizations.byIds']);
    const included = await world.anonymous.get(`/organizations/${id}?fields=name&include=teams`);
    expect(Object.keys(included.body).toSorted()).toEqual(['name', 'teams']);
    expect((await world.anonymous.get(`/organizations/${id}`)).body.teams).toBeUndefined();
  });

  test('is not sent again to who has it: ETag and 304, on lists and single reads', async () => {
    const [id] = ids(await world.anonymous.get('/organizations?externalId=LIST:3'));
    for (const path of [`/organizations/${id ?? ''}`, '/organizations?externalId=LIST:3']) {
      const { headers } = await world.anonymous.get(path);
      const etag = headers.get('etag') ?? '';
      expect(etag.startsWith('W/')).toBe(path.includes('?'));
      const again = await world.anonymous.get(path, { 'if-none-match': etag });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await world.anonymous.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
      expect((await world.anonymous.get(path, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
      await owner.patch(`/organizations/${id ?? ''}`, { city: `Moss ${path.length}` }, { 'if-match': '*' });
      expect((await world.anonymous.get(path, { 'if-none-match': etag })).status).toBe(200);
    }
    expect((await world.anonymous.get(`/organizations/${id ?? ''}`, { 'if-match': '"1"' })).status).toBe(412);
  });

  test('has one ETag as long as it is the same, also with more pages to come', async () => {
    const path = '/organizations?country=NO&limit=2&sort=name';
    const { headers } = await world.anonymous.get(path);
    expect((await world.anonymous.get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
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
  ])('%s?mine=true without a key is 401, with a key only the own', async (path) => {
    const { status, body, headers } = await world.anonymous.get(`${path}?mine=true`);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'api_key_missing' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect((await other.get(`${path}?mine=true`)).body.data).toEqual([]);
    expect((await owner.get(`${path}?mine=false`)).status).toBe(200);
  });
});
