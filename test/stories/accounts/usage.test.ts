/** The rollups contain every request exactly: both APIs, keys and addresses, all outcomes and costs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { ApiResponse, Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { stopDatabase } from '../operations/outages.ts';
import { repeat, usageOf } from './rates.ts';

let platform: TestPlatform;
let database: pg.Pool;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  await platform.plan('roomy', { burstPerMinute: 100_000, perDay: 1000, perMonth: 10_000 });
  await platform.plan('ten', { burstPerMinute: 100_000, perDay: 10, perMonth: 10_000 });
  database = new pg.Pool({ connectionString: platform.database.ownerUrl, max: 2 });
  // a test makes the database unavailable
  database.on('error', () => undefined);
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const publicIdOf = ({ key }: { key: string }): string => key.slice(0, key.indexOf('.'));

interface Row {
  readonly area: string | null;
  readonly status: number;
  readonly requests: number;
  readonly units: number;
}

/** The rollups of a key, or of requests without a key, which must be equal for all granularities. */
async function rollups(publicId: string | null): Promise<Row[]> {
  await platform.flushUsage();
  const { rows } = await database.query<Row & { granularity: string }>(
    `select granularity, area, status_class as status, sum(requests)::int as requests, sum(units)::int as units
     from accounts.usage where public_id is not distinct from $1 group by 1, 2, 3 order by 1, 2, 3`,
    [publicId],
  );
  const { DAY = [], HOUR = [], MINUTE = [], MONTH = [] } = Object.groupBy(rows, ({ granularity }) => granularity);
  const byGranularity = [DAY, HOUR, MINUTE, MONTH].map((each) => each.map(({ granularity: _, ...row }) => row));
  for (const each of byGranularity) expect(each).toEqual(byGranularity[0]);
  return byGranularity[0] ?? [];
}

/** Numbers of requests by area and class of the response status. */
function accessLog() {
  const log = new Map<string, number>();
  return {
    async note(area: string | null, request: Promise<ApiResponse>): Promise<ApiResponse> {
      const response = await request;
      const place = `${area} ${Math.floor(response.status / 100)}`;
      log.set(place, (log.get(place) ?? 0) + 1);
      return response;
    },
    entries: () => Object.fromEntries([...log].sort()),
  };
}

const byPlace = (rows: readonly Row[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ area, status, requests }) => [`${area} ${status}`, requests] as const).sort());

const unitsOf = (rows: readonly Row[]): number => rows.reduce((sum, { units }) => sum + units, 0);

describe('rollups', () => {
  test('contain all requests of a key over both APIs with all outcomes, and their units equal its counter', async () => {
    const client = await platform.account({ account: 'Metered', plan: 'roomy', scopes: ['organizations:write'] });
    const log = accessLog();
    const organization = { type: 'UNIVERSITY', name: 'College', country: 'US', sports: [] };
    const items = Array.from({ length: 25 }, (_, index) => ({
      ...organization,
      externalIds: [{ scheme: 'TEST', value: `usage-${index}` }],
    }));
    const requests: [string | null, (client: Client) => Promise<ApiResponse>][] = [
      ['organizations', (it) => it.get('/organizations')],
      ['organizations', (it) => it.get('/organizations?limit=0')],
      ['organizations', (it) => it.get('/organizations/00000000-0000-4000-8000-000000000000')],
      ['organizations', (it) => it.post('/organizations', organization)],
      ['organizations', (it) => it.post('/organizations', { nonsense: true })],
      ['organizations', (it) => it.post('/organizations/batch', { items })],
      ['organizations', (it) => it.graphql('{ organizations(first: 100) { nodes { teams(first: 5) { nodes { id } } } } }')],
      ['athletes', (it) => it.get('/athletes')],
      ['athletes', (it) => it.post('/athletes', {})],
      ['athletes', (it) => it.graphql('{ athletes { nodes { id } } }')],
      ['accounts', (it) => it.get('/me')],
      ['accounts', (it) => it.get('/usage')],
      ['accounts', (it) => it.get('/plans')],
      [null, (it) => it.get('/nowhere')],
      [null, (it) => it.graphql('{ nonsense }')],
      [null, (it) => it.graphql('{ organizations { nodes { id } } athletes { nodes { id } } }')],
      [null, (it) => it.send('/organizations', { method: 'PUT' })],
    ];
    for (const [area, send] of requests) await log.note(area, send(client));
    await repeat(10, () => log.note('athletes', client.get('/athletes')));
    const { headers } = await log.note('organizations', client.get('/organizations?limit=1'));
    const tag = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await log.note('organizations', client.get('/organizations?limit=1', tag))).status).toBe(304);
    await eventually(async () => expect(byPlace(await rollups(publicIdOf(client)))).toEqual(log.entries()));
    const rows = await rollups(publicIdOf(client));
    expect(unitsOf(rows)).toBe((await usageOf(client)).day);
  });

  test('contain rejected requests: 429 for the key, and 401 without a key', async () => {
    const client = await platform.account({ account: 'Rejected', plan: 'ten' });
    const responses = await repeat(30, (index) =>
      index % 2 === 0 ? client.get('/athletes') : client.graphql('{ athletes { nodes { id } } }'),
    );
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
    const rows = await rollups(publicIdOf(client));
    // a GraphQL request over the quota is rejected before it is parsed
    const rejected = rows.filter(({ status }) => status === 4);
    expect(rejected.reduce((sum, { requests }) => sum + requests, 0)).toBe(20);
    expect(rows.find(({ status }) => status === 2)).toMatchObject({ area: 'athletes', requests: 10, units: 10 });
    expect(unitsOf(rows)).toBe(10);

    const before = byPlace(await rollups(null));
    await platform.anonymous.get('/athletes', { 'x-api-key': 'sp_live_nonsense' });
    await platform.anonymous.get('/me');
    await platform.anonymous.get('/athletes');
    const after = byPlace(await rollups(null));
    const more = Object.fromEntries(Object.entries(after).map(([place, requests]) => [place, requests - (before[place] ?? 0)]));
    expect(more).toMatchObject({ 'athletes 2': 1, 'athletes 4': 1, 'accounts 4': 1 });
  });

  test('exclude refunded units and include others', async () => {
    const client = await platform.account({ account: 'Refunded', plan: 'roomy' });
    await client.get('/organizations?limit=19');
    await database.query('alter table organizations.organization rename to organization_gone');
    const responses = await repeat(25, () => client.get('/organizations'));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 500));
    await database.query('alter table organizations.organization_gone rename to organization');
    await platform.flushUsage();
    const rows = await rollups(publicIdOf(client));
    // at most 20 units a day are refunded on a plan with 1000
    expect(rows).toEqual([
      { area: 'organizations', status: 2, requests: 1, units: 1 },
      { area: 'organizations', status: 5, requests: 25, units: 5 },
    ]);
    expect((await usageOf(client)).day).toBe(6);
  });

  test('a failed flush is repeated and counts once', async () => {
    const client = await platform.account({ account: 'Patient', plan: 'roomy' });
    await repeat(7, () => client.get('/organizations'));
    const restore = await stopDatabase(platform);
    await expect(platform.flushUsage()).rejects.toThrow('not flushed');
    await restore();
    expect(byPlace(await rollups(publicIdOf(client)))).toEqual({ 'organizations 2': 7 });
  });

  test('a key has the time of its last use and its client address as a hash', async () => {
    const client = await platform.account({ account: 'Last used', plan: 'roomy' });
    await client.get('/organizations');
    await platform.flushUsage();
    const { rows } = await database.query<{ ago: number; length: number }>(
      `select extract(epoch from now() - u.used_at)::float8 as ago, octet_length(u.address) as length
       from accounts.key_use u join accounts.api_key k on k.id = u.key_id where k.public_id = $1`,
      [publicIdOf(client)],
    );
    expect(rows[0]?.length).toBe(32);
    expect(Math.abs(rows[0]?.ago ?? Infinity)).toBeLessThan(60);
  });
});

describe('/usage', () => {
  const today = () => `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;

  test('returns usage per day, grouped by area, status and key, for the key or the account', async () => {
    const client = await platform.account({ account: 'Series', plan: 'roomy' });
    const other = await platform.account({ account: 'Series', plan: 'roomy' });
    await repeat(3, () => client.get('/organizations'));
    await repeat(2, () => client.get('/athletes?limit=0'));
    await repeat(4, () => other.get('/athletes'));
    await platform.flushUsage();
    const series = async (query: string) => (await client.get(`/usage${query}`)).body.series;
    expect(await series('')).toBeNull();
    const noGroups = { area: null, sport: null, status: null, key: null, plan: null };
    expect(await series('?granularity=DAY')).toEqual([{ ...noGroups, startsAt: today(), requests: 5, units: 5 }]);
    expect(await series('?of=ACCOUNT&granularity=MONTH')).toMatchObject([
      { startsAt: `${today().slice(0, 8)}01T00:00:00.000Z`, units: 9 },
    ]);
    expect(await series('?groupBy=AREA,STATUS')).toEqual([
      { ...noGroups, startsAt: today(), area: 'athletes', status: 'CLIENT_ERROR', requests: 2, units: 2 },
      { ...noGroups, startsAt: today(), area: 'organizations', status: 'SUCCESS', requests: 3, units: 3 },
    ]);
    const byKey = await series('?of=ACCOUNT&groupBy=KEY,PLAN');
    expect(
      Object.fromEntries(
        byKey.map(({ key, plan, units }: { key: string; plan: string; units: number }) => [key, `${plan} ${units}`]),
      ),
    ).toEqual({
      [publicIdOf(client)]: 'roomy 5',
      [publicIdOf(other)]: 'roomy 4',
    });
    const { body } = await client.graphql('{ usage { series(granularity: HOUR, groupBy: [SPORT]) { sport units } } }');
    expect(body.data.usage.series.reduce((sum: number, { units }: { units: number }) => sum + units, 0)).toBe(5);
  });

  test('rejects time spans that are empty, too long or no longer retained, and unknown values', async () => {
    const client = await platform.account({ account: 'Spans', plan: 'roomy' });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const violations = async (query: string) => {
      const { status, body } = await client.get(`/usage?${query}`);
      return { status, violations: body.errors?.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`) };
    };
    for (const query of [
      `granularity=DAY&from=${daysAgo(1)}&to=${daysAgo(2)}`,
      `granularity=MINUTE&from=${daysAgo(4)}&to=${daysAgo(3.9)}`,
      `granularity=MINUTE&from=${daysAgo(2)}&to=${daysAgo(-1)}`,
      `granularity=HOUR&from=${daysAgo(40)}&to=${daysAgo(38)}`,
      `granularity=DAY&from=${daysAgo(500)}&to=${daysAgo(450)}`,
      `granularity=MONTH&from=1990-01-01T00:00:00Z`,
    ]) {
      expect({ query, ...(await violations(query)) }).toEqual({ query, status: 400, violations: ['from out_of_range'] });
    }
    for (const query of ['granularity=WEEK', 'groupBy=AREA,WEATHER', 'from=yesterday', 'of=EVERYBODY', 'colour=red'])
      expect((await violations(query)).status).toBe(400);
    expect((await platform.anonymous.get('/usage?granularity=DAY')).status).toBe(401);
    expect((await client.get(`/usage?granularity=DAY&from=${daysAgo(399)}`)).status).toBe(200);
    expect((await usageOf(client)).day).toBe(0);
  });
});

test('an account is notified at 50, 80 and 100 percent of a day, once each', async () => {
  const client = await platform.account({ account: 'Spender', plan: 'ten' });
  const notified = async () => {
    await platform.flushUsage();
    const { rows } = await database.query<{ data: Record<string, unknown> }>(
      `select o.data from accounts.outbox o join accounts.api_key k on k.id = o.resource_id
       where o.type = 'quota.threshold_reached' and k.public_id = $1 order by o.id`,
      [publicIdOf(client)],
    );
    return rows.map(({ data }) => [data['window'], data['percent'], data['used'], data['limit']]);
  };
  await repeat(4, () => client.get('/organizations'));
  expect(await notified()).toEqual([]);
  await client.get('/organizations');
  expect(await notified()).toEqual([['DAY', 50, 5, 10]]);
  await repeat(10, () => client.get('/organizations'));
  expect(await notified()).toEqual([
    ['DAY', 50, 5, 10],
    ['DAY', 80, 10, 10],
    ['DAY', 100, 10, 10],
  ]);
  await repeat(3, () => client.get('/organizations'));
  expect(await notified()).toHaveLength(3);
});
