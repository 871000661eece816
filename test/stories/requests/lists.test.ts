/** Lists are complete and without duplicates, also while they change; synchronizing partners miss nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat } from '../accounts/rates.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other, moderator] = await Promise.all([
    platform.account({ account: 'Owner' }),
    platform.account({ account: 'Other' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
  ]);
  const items = Array.from({ length: 57 }, (_, index) => ({
    ...club(`Club ${String(index).padStart(2, '0')}`),
    externalIds: [{ scheme: 'LIST', value: `${index}` }],
  }));
  // one transaction: many rows with the same timestamp, ordered only by id
  expect((await owner.post('/organizations/batch', { items })).body.summary.created).toBe(57);
});
afterAll(() => platform.close());

const club = (name: string, status = 'ACTIVE') => ({
  type: 'CLUB',
  name,
  country: 'NO',
  city: 'Oslo',
  sports: ['HANDBALL'],
  status,
});
const ids = (response: ApiResponse): string[] => response.body.data.map((each: { id: string }) => each.id);

/** Follows the Link header to the last page. */
async function follow(
  client: Client,
  path: string,
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<ApiResponse[]> {
  const pages: ApiResponse[] = [];
  let next: string | null = path;
  while (next !== null) {
    const response: ApiResponse = await client.get(next);
    expect({ path: next, status: response.status }).toEqual({ path: next, status: 200 });
    pages.push(response);
    const link: RegExpExecArray | null = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '');
    expect(link === null).toBe(!response.body.page.hasMore);
    expect(response.body.page.nextCursor === null).toBe(!response.body.page.hasMore);
    await between(pages.length);
    next = link?.[1] ?? null;
  }
  return pages;
}

describe('paging', () => {
  test.each(['-createdAt', 'createdAt', 'name', '-name', '-updatedAt', 'updatedAt'])(
    'sort=%s returns every row once, in order',
    async (sort) => {
      const pages = await follow(platform.anonymous, `/organizations?country=NO&q=club&limit=10&sort=${sort}`);
      const rows = pages.flatMap((page) => page.body.data);
      expect(new Set(rows.map((row) => row.id)).size).toBe(57);
      expect(rows).toHaveLength(57);
      const names = rows.map((row) => row.name);
      if (sort === 'name') expect(names).toEqual(names.toSorted());
      if (sort === '-name') expect(names).toEqual(names.toSorted().toReversed());
      expect(pages.slice(0, -1).every((page) => page.body.data.length === 10)).toBe(true);
    },
  );

  test('returns every row once while rows are inserted, updated and deleted', async () => {
    const before = (await follow(platform.anonymous, '/organizations?country=NO&q=club&limit=100')).flatMap(ids);
    for (const sort of ['-createdAt', 'createdAt', 'name']) {
      const pages = await follow(platform.anonymous, `/organizations?country=NO&q=club&limit=7&sort=${sort}`, (page) =>
        repeat(3, (index) => owner.post('/organizations', { ...club(`Club ${page}.${index}`), country: 'NO' })),
      );
      const received = pages.flatMap(ids);
      expect(new Set(received).size).toBe(received.length);
      expect(before.filter((id) => !received.includes(id))).toEqual([]);
    }
  });

  test('the last page ends with the list, and an empty list has one page', async () => {
    const exact = await platform.anonymous.get('/organizations?externalId=LIST:1&limit=1');
    expect(exact.body.page).toMatchObject({ nextCursor: null, hasMore: false });
    const none = await platform.anonymous.get('/organizations?q=nothingofthekind');
    expect(none.body).toMatchObject({ data: [], page: { nextCursor: null, hasMore: false } });
    expect(none.headers.get('link')).toBeNull();
  });

  test('over GraphQL walks the same pages: nodes, edges and cursors agree', async () => {
    const query =
      'query ($after: String) { organizations(first: 9, after: $after, filter: { country: ["NO"], q: "club" }, sort: NAME_ASC) { nodes { id } edges { cursor node { id } } pageInfo { nextCursor endCursor hasMore hasNextPage } } }';
    const received: string[] = [];
    let after: string | null = null;
    do {
      const { body } = await platform.anonymous.graphql(query, { after });
      const { nodes, edges, pageInfo } = body.data.organizations;
      expect(edges.map((edge: { node: object }) => edge.node)).toEqual(nodes);
      expect(pageInfo.hasNextPage).toBe(pageInfo.hasMore);
      received.push(...nodes.map((node: { id: string }) => node.id));
      after = pageInfo.nextCursor;
    } while (after !== null);
    expect(new Set(received).size).toBe(received.length);
    const rest = await follow(platform.anonymous, '/organizations?country=NO&q=club&limit=50&sort=name');
    expect(received).toEqual(rest.flatMap(ids));
  });
});

describe('a cursor', () => {
  const first = async (query = 'country=NO&sort=name'): Promise<string> =>
    (await platform.anonymous.get(`/organizations?${query}&limit=2`)).body.page.nextCursor;

  test('of another filter, sort or list is rejected; limit, fields and include can change', async () => {
    const cursor = encodeURIComponent(await first());
    for (const path of [
      `/organizations?country=SE&sort=name&cursor=${cursor}`,
      `/organizations?country=NO&sort=-name&cursor=${cursor}`,
      `/organizations?country=NO&cursor=${cursor}`,
      `/organizations?country=NO&sort=name&q=club&cursor=${cursor}`,
      `/athletes?country=NO&sort=name&cursor=${cursor}`,
      `/organizations/teams?country=NO&sort=name&cursor=${cursor}`,
    ]) {
      const { status, body } = await platform.anonymous.get(path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: 'cursor_invalid' });
    }
    for (const change of ['limit=100', 'fields=id', 'include=teams']) {
      expect((await platform.anonymous.get(`/organizations?country=NO&sort=name&${change}&cursor=${cursor}`)).status).toBe(200);
    }
  });

  test('that is modified, truncated or invented is rejected', async () => {
    const cursor = await first();
    const flipped = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
    for (const bad of [flipped, cursor.slice(0, 10), `${cursor}A`, 'AAAA', '1', cursor.toUpperCase(), `${cursor},${cursor}`]) {
      const { status, body } = await platform.anonymous.get(
        `/organizations?country=NO&sort=name&cursor=${encodeURIComponent(bad)}`,
      );
      expect({ bad, status, code: body.code }).toEqual({ bad, status: 400, code: 'cursor_invalid' });
    }
  });

  test('does not expose the values in it', async () => {
    const cursor = await first();
    const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
    expect(bytes).not.toContain('Club');
    expect(await first()).not.toBe('');
  });
});

describe('a partner that synchronizes with updatedSince', () => {
  const past = () => new Date(Date.now() - 1).toISOString();

  test('receives changes in order, page by page, with tombstones', async () => {
    const since = past();
    const created = await repeat(5, (index) => owner.post('/organizations', club(`Sync ${index}`)));
    const [first, second] = created.map(({ body }): string => body.id);
    await owner.patch(`/organizations/${first ?? ''}`, { city: 'Bergen' }, { 'if-match': '*' });
    const suspended = await moderator.post(`/organizations/${second ?? ''}/suspend`, { reason: 'Test' });
    expect({ status: suspended.status, body: suspended.body }).toMatchObject({ status: 200 });
    const pages = await follow(platform.anonymous, `/organizations?country=NO&updatedSince=${since}&limit=2`);
    const received: { id: string; name: string }[] = pages.flatMap((page) => page.body.data);
    const removed = pages.flatMap((page) => page.body.tombstones);
    expect(received.map((each) => each.id).toSorted()).toEqual(
      created
        .map(({ body }) => body.id)
        .filter((id) => id !== second)
        .toSorted(),
    );
    expect(received.at(-1)).toMatchObject({ id: first, city: 'Bergen' });
    expect(removed).toEqual([{ id: second, deleted: true }]);
    for (const { body } of pages) expect([...body.data, ...body.tombstones].length).toBeLessThanOrEqual(2);
    const mine = (await follow(owner, `/organizations?mine=true&updatedSince=${since}&limit=100`)).flatMap(
      (page) => page.body.data,
    );
    expect(mine.find((each) => each.id === second)).toMatchObject({ status: 'SUSPENDED' });
    await moderator.post(`/organizations/${second ?? ''}/reinstate`);
    const repeated = await platform.anonymous.get(`/organizations?updatedSince=${since}&limit=100`);
    expect(ids(repeated)).toContain(second);
    expect(repeated.body.tombstones).toEqual([]);
  });

  test('receives tombstones of own drafts only', async () => {
    const since = past();
    const { body: draft } = await owner.post('/organizations', club('Gone', 'DRAFT'));
    await owner.delete(`/organizations/${draft.id}`, { 'if-match': '*' });
    const tombstones = async (client: Client, query: string): Promise<unknown> =>
      (await client.get(`/organizations?updatedSince=${since}&${query}`)).body.tombstones;
    expect(await tombstones(owner, 'mine=true')).toEqual([{ id: draft.id, deleted: true }]);
    expect(await tombstones(other, 'mine=true')).toEqual([]);
    expect(await tombstones(other, 'limit=100')).toEqual([]);
    expect(await tombstones(platform.anonymous, 'limit=100')).toEqual([]);
  });

  test('a list without updatedSince has no tombstones', async () => {
    expect((await platform.anonymous.get('/organizations')).body.tombstones ?? []).toEqual([]);
  });
});
