/** The usage and key data that the dashboard displays. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('ten', { burstPerMinute: 100_000, perDay: 10, perMonth: 10_000 });
});
afterAll(() => platform.close());

type Key = Client & { readonly key: string };

const publicIdOf = ({ key }: Key): string => key.slice(0, key.indexOf('.'));

interface Point {
  readonly startsAt: string;
  readonly area: string | null;
  readonly status: string | null;
  readonly requests: number;
  readonly units: number;
}

interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: string | null;
  readonly quota: { readonly day: { readonly used: number } };
  readonly usage: readonly Point[];
  readonly requestsLast24Hours: number;
  readonly recentRequests: readonly { readonly at: string; readonly durationMs: number }[];
  readonly account: { readonly id: string; readonly requestsLast24Hours: number; readonly liveKeys: number };
  readonly plan: { readonly liveKeys: number };
}

async function list(args: string, fields: string): Promise<readonly ListedKey[]> {
  const { apiKeys } = await platform.administer(`{ apiKeys(${args}) { nodes { ${fields} } } }`);
  return (apiKeys as { nodes: ListedKey[] }).nodes;
}

async function readKey(key: Key, fields: string): Promise<ListedKey> {
  const [found] = await list(`filter: { publicId: "${publicIdOf(key)}" }`, fields);
  if (!found) throw new Error('The key is not listed');
  return found;
}

const sum = (points: readonly Point[]) =>
  points.reduce(({ requests, units }, point) => ({ requests: requests + point.requests, units: units + point.units }), {
    requests: 0,
    units: 0,
  });

describe('a key', () => {
  test('has its usage by outcome, its quota, and the numbers of recent requests and live keys', async () => {
    const key = await platform.account({ account: 'Listed FC', plan: 'ten' });
    for (let count = 0; count < 12; count += 1) await key.get('/athletes');
    await platform.flushUsage();
    const { quota, usage, requestsLast24Hours, account, plan, lastUsedAt } = await readKey(
      key,
      `quota { day { used limit remaining } } usage(granularity: HOUR, groupBy: [STATUS]) { status requests units }
       requestsLast24Hours account { id requestsLast24Hours liveKeys } plan { liveKeys } lastUsedAt`,
    );
    expect(quota).toEqual({ day: { used: 10, limit: 10, remaining: 0 } });
    expect(usage).toEqual([
      { status: 'SUCCESS', requests: 10, units: 10 },
      { status: 'CLIENT_ERROR', requests: 2, units: 0 },
    ]);
    expect({ requestsLast24Hours, account, plan }).toMatchObject({
      requestsLast24Hours: 12,
      account: { requestsLast24Hours: 12, liveKeys: 1 },
      plan: { liveKeys: 1 },
    });
    expect(Date.now() - Date.parse(lastUsedAt ?? '')).toBeLessThan(60_000);

    await platform.administer(`mutation { closeAccount(id: "${account.id}") { id } }`);
    expect(await readKey(key, 'account { liveKeys } plan { liveKeys }')).toMatchObject({
      account: { liveKeys: 0 },
      plan: { liveKeys: 0 },
    });
  });

  test('with an exhausted day is listed as close to its quota and among the top keys', async () => {
    const key = await platform.account({ account: 'Full FC', plan: 'ten' });
    for (let count = 0; count < 11; count += 1) await key.get('/athletes');
    await platform.flushUsage();
    const { keysNearQuota, topKeys } = await platform.administer(`{
      keysNearQuota { apiKey { publicId } window used limit percent }
      topKeys { apiKey { publicId } requests units }
    }`);
    const apiKey = { publicId: publicIdOf(key) };
    expect(keysNearQuota).toContainEqual({ apiKey, window: 'DAY', used: 10, limit: 10, percent: 100 });
    expect(topKeys).toContainEqual({ apiKey, requests: 11, units: 10 });

    await platform.administer(
      'mutation { changePlan(code: "ten", ifMatch: "*", input: { limits: { burstPerMinute: 9, perDay: 99, perMonth: 999 } }) { id } }',
    );
    await platform.administer('mutation ($id: ID!) { moveApiKey(id: $id, plan: "ten", when: NOW) { id } }', {
      id: (await readKey(key, 'id')).id,
    });
    const later = await platform.administer('{ keysNearQuota { apiKey { publicId } } }');
    expect(later['keysNearQuota']).not.toContainEqual({ apiKey });
  });
});

describe('the recent requests of a key', () => {
  test('contain the operations and outcomes of both APIs, newest first, without values', async () => {
    const key = await platform.account({ account: 'Recent FC' });
    const headers = { 'x-request-id': 'recent-1' };
    await key.get('/athletes?limit=1&fields=id&q=secret', headers);
    await key.graphql('query Squad($id: ID!) { organization(id: $id) { id } }', { id: '00000000-0000-4000-8000-000000000000' });
    await key.get('/organizations/nobody');
    await key.post('/athletes', { displayName: 'secret' });
    await key.get('/nowhere');
    await platform.flushUsage();
    const fields = 'recentRequests { at operation area status durationMs requestId }';
    const { recentRequests } = await readKey(key, fields);
    expect(recentRequests).toMatchObject([
      { operation: null, area: null, status: 404 },
      { operation: 'createAthlete', area: 'athletes', status: 422 },
      { operation: 'getOrganization', area: 'organizations', status: 404 },
      { operation: 'Squad', area: 'organizations', status: 200 },
      { operation: 'listAthletes', area: 'athletes', status: 200, requestId: 'recent-1' },
    ]);
    expect(JSON.stringify(recentRequests)).not.toContain('secret');
    for (const { at, durationMs } of recentRequests) {
      expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
      expect(durationMs).toBeGreaterThanOrEqual(0);
    }
  });
});

test('the platform usage is the sum of all accounts and of requests without a key', async () => {
  const keys = [await platform.account({ account: 'One' }), await platform.account({ account: 'Two' })];
  for (const client of [...keys, platform.anonymous]) {
    await client.get('/athletes');
    await client.get('/organizations?limit=0');
    await client.graphql('{ organizations { nodes { id } } athletes { nodes { id } } }');
  }
  await platform.flushUsage();
  const { platformUsage, accounts } = (await platform.administer(`{
    platformUsage(granularity: DAY, groupBy: [AREA, STATUS]) { startsAt area status requests units }
    accounts(first: 100) { nodes { usage(granularity: DAY) { requests units } } }
  }`)) as { platformUsage: Point[]; accounts: { nodes: { usage: Point[] }[] } };
  const keyed = sum(accounts.nodes.flatMap(({ usage }) => usage));
  expect(sum(platformUsage)).toEqual({ requests: keyed.requests + 3, units: keyed.units + 3 });
  const places = platformUsage.map(({ area, status }) => `${area} ${status}`);
  expect(new Set(places).size).toBe(places.length);
  for (const granularity of ['MINUTE', 'HOUR', 'MONTH']) {
    const other = await platform.administer(`{ platformUsage(granularity: ${granularity}) { requests units } }`);
    expect(sum(other['platformUsage'] as Point[])).toEqual(sum(platformUsage));
  }
});

describe('the list of keys', () => {
  test('finds a key by words of its name, of the current name of its account, and by a part of its public ID', async () => {
    const key = await platform.account({ account: 'Écurie Zürich' });
    const { id, account } = await readKey(key, 'id account { id }');
    const found = async (q: string) => (await list(`filter: { q: ${JSON.stringify(q)} }`, 'id')).map((each) => each.id);
    expect(await found('ecurie zur')).toEqual([id]);
    expect(await found(publicIdOf(key).slice(10).toUpperCase())).toEqual([id]);
    expect(await found('zurich test')).toEqual([id]);
    await platform.administer(
      `mutation { updateAccount(id: "${account.id}", ifMatch: "*", input: { name: "Rennstall Bern" }) { id } }`,
    );
    expect(await found('zurich')).toEqual([]);
    expect(await found('rennstall')).toEqual([id]);
  });

  test('is filtered by scope and expiry', async () => {
    const issue = async (name: string, scopes: string[], expiresAt: string | null) => {
      const input = { accountName: 'Filters', name, plan: 'plenty', scopes, expiresAt };
      await platform.administer('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', { input });
    };
    await issue('reads minors', ['minors:read'], null);
    await issue('ends soon', ['athletes:write'], '2099-01-01T00:00:00Z');
    await issue('ends later', ['athletes:write'], '2099-06-01T00:00:00Z');
    expect(await list('filter: { scope: "minors:read" }', 'name')).toEqual([{ name: 'reads minors' }]);
    expect(await list('filter: { expiresBefore: "2099-03-01T00:00:00Z" }', 'name')).toEqual([{ name: 'ends soon' }]);
  });

  test.each(['CREATED_DESC', 'CREATED_ASC', 'NAME_ASC', 'NAME_DESC', 'LAST_USED_DESC', 'LAST_USED_ASC'])(
    'sorted by %s contains each key once across pages',
    async (sort) => {
      const listed: ListedKey[] = [];
      let after: string | null = null;
      do {
        const data = await platform.administer(
          `query ($after: String) { apiKeys(sort: ${sort}, first: 3, after: $after) { nodes { id name createdAt lastUsedAt } pageInfo { nextCursor } } }`,
          { after },
        );
        const page = data['apiKeys'] as { nodes: ListedKey[]; pageInfo: { nextCursor: string | null } };
        listed.push(...page.nodes);
        after = page.pageInfo.nextCursor;
      } while (after !== null);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
      const all = await list(`first: 100, sort: ${sort}`, 'id name createdAt lastUsedAt');
      expect(listed).toEqual(all);
      const used = all.map(({ lastUsedAt }) => lastUsedAt ?? '');
      if (sort === 'LAST_USED_DESC') expect(used).toEqual(used.toSorted().toReversed());
      if (sort === 'LAST_USED_ASC') expect(used).toEqual(used.toSorted());
      const names = all.map(({ name }) => name);
      if (sort === 'NAME_ASC') expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    },
  );
});
