/** Parameters with several values. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('a list parameter', () => {
  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await platform.anonymous.get(`/organizations?${query}&fields=name&limit=100`);
    expect({ query, status, body }).toMatchObject({ status: 200 });
    return body.data.map(({ name }: { name: string }) => name);
  };
  beforeAll(async () => {
    const lists = await platform.account({ account: 'List parameters' });
    for (const country of ['IS', 'LI', 'MT']) {
      for (const name of ['A', 'B'])
        await lists.post('/organizations', {
          type: 'CLUB',
          name: `${country} ${name}`,
          country,
          sports: ['TENNIS'],
          status: 'ACTIVE',
        });
    }
  });

  test('can be repeated or separated by commas, in fields and include too', async () => {
    const expected = await names('country=IS,LI');
    expect(expected).toHaveLength(4);
    for (const query of ['country=IS&country=LI', 'country=LI,IS', 'country=IS,LI&country=IS', 'country=IS&type=CLUB&country=LI'])
      expect((await names(query)).toSorted()).toEqual(expected.toSorted());
    const { body } = await platform.anonymous.get('/organizations?fields=id&fields=name&country=IS&limit=1');
    expect(Object.keys(body.data[0])).toEqual(['id', 'name']);
  });

  test('has cursors that do not depend on the order and duplicates of its values', async () => {
    const page = async (query: string) => (await platform.anonymous.get(`/organizations?limit=2&${query}`)).body;
    const first = await page('country=IS,LI');
    for (const query of ['country=LI,IS', 'country=LI&country=IS', 'country=IS,LI,IS']) {
      const { data, page: next } = await page(`${query}&cursor=${first.page.nextCursor}`);
      expect([data.length, next.hasMore]).toEqual([2, false]);
    }
    expect(await page(`country=IS,MT&cursor=${first.page.nextCursor}`)).toMatchObject({ code: 'cursor_invalid' });
    const list = `query ($country: [CountryCode!], $after: String) {
      organizations(first: 2, after: $after, filter: { country: $country }) { nodes { id } pageInfo { nextCursor } } }`;
    const { body } = await platform.anonymous.graphql(list, { country: ['IS', 'LI'] });
    const after = body.data.organizations.pageInfo.nextCursor;
    const { body: rest } = await platform.anonymous.graphql(list, { country: ['LI', 'IS'], after });
    expect(rest.data.organizations.nodes).toHaveLength(2);
  });

  test('rejects a repetition of a parameter that is no list, and an empty value', async () => {
    for (const query of ['limit=1&limit=2', 'q=a&q=b', 'country=IS&country='])
      expect((await platform.anonymous.get(`/organizations?${query}`)).body.code).toBe('parameter_invalid');
  });
});
