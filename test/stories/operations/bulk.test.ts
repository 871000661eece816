/** Lists in bulk formats: all pages as NDJSON or CSV, each page charged. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const ndjson = { accept: 'application/x-ndjson' };
const csv = { accept: 'text/csv' };
const total = 230;

let platform: TestPlatform;
let owner: Client & { readonly key: string };
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Bulk' });
  const items = Array.from({ length: total }, (_, index) => ({
    type: 'CLUB',
    name: index === 0 ? '=HYPERLINK("https://evil.test")' : index === 1 ? '"Quoted", with a comma' : `Club ${index}`,
    country: 'DE',
    sports: ['FOOTBALL', 'TENNIS'],
    status: 'ACTIVE',
    externalIds: [{ scheme: 'CRM', value: `bulk-${index}` }],
  }));
  await owner.post('/organizations/batch', { items });
  await platform.settled();
});
afterAll(() => platform.close());

type Row = Record<string, unknown>;

async function walk(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await owner.get(`${path}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...(body.data as Row[]));
    cursor = body.page.nextCursor as string | null;
  }
  return rows;
}

const linesOf = (body: string): Row[] =>
  body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
const used = (headers: Headers): number => Number(/"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('a list', () => {
  test('as NDJSON has every item once, in the order of the pages', async () => {
    const { status, headers, body } = await owner.get('/organizations?sort=name', ndjson);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      'no-store',
    ]);
    expect(linesOf(body)).toEqual(await walk('/organizations?sort=name&limit=100'));
    expect(headers.get('vary')).toContain('accept');
  });

  test('as CSV has a column per member, dotted names for nested ones, and JSON for lists', async () => {
    const { headers, body } = await owner.get('/organizations?sort=name', csv);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = parse<Record<string, string>>(body as string, { columns: true });
    const expected = await walk('/organizations?sort=name&limit=100');
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(rows.map(({ version }) => Number(version))).toEqual(expected.map(({ version }) => version));
    expect(rows.map(({ sports }) => JSON.parse(sports ?? ''))).toEqual(expected.map(({ sports }) => sports));
    const names = rows.map(({ name }) => name);
    expect(names).toContain('"Quoted", with a comma');
    expect(names.filter((name) => name?.startsWith('='))).toEqual([]);
    expect(names).toContain(`'=HYPERLINK("https://evil.test")`);
  });

  test('keeps its filters, fields and included parts', async () => {
    const some = await owner.get('/organizations?q=Club&fields=id,name&sort=name', csv);
    expect(String(some.body).split('\r\n', 1)).toEqual(['id,name']);
    const found = linesOf((await owner.get('/organizations?q=Club&fields=id,name&sort=name', ndjson)).body);
    expect(found).toEqual(await walk('/organizations?q=Club&fields=id,name&sort=name&limit=100'));
    const included = linesOf((await owner.get('/organizations?include=teams&limit=50', ndjson)).body);
    expect([included.length, included[0]?.['teams']]).toEqual([total, { nodes: [] }]);
    expect((await owner.get('/organizations?country=IS', csv)).body).toMatch(/^id,[^\n]*\r\n$/);
    expect((await owner.get('/organizations?country=IS', ndjson)).body).toBe('');
  });

  test('is charged page by page', async () => {
    const before = await owner.get('/organizations?limit=1');
    await owner.get('/organizations', ndjson);
    const after = await owner.get('/organizations?limit=1');
    const one = await owner.get('/organizations?limit=100');
    const page = used(after.headers) - used(one.headers);
    expect(used(before.headers) - used(after.headers)).toBeGreaterThanOrEqual(3);
    expect(used(before.headers) - used(after.headers)).toBeLessThanOrEqual(3 * page + 1);
  });

  test('waits for the burst limit, and ends the connection when the quota is used up', async () => {
    await platform.plan('narrow', { burstPerMinute: 1_000, perDay: 8, perMonth: 100 });
    const narrow = await platform.account({ account: 'Narrow', plan: 'narrow' });
    await expect(narrow.get('/organizations?limit=10', ndjson)).rejects.toThrow();
    expect((await narrow.get('/organizations', ndjson)).status).toBe(429);
  });

  test('without further pages, and of lists without pages', async () => {
    expect(linesOf((await owner.get('/sports', ndjson)).body).map(({ sport }) => sport)).toContain('FOOTBALL');
    expect(String((await owner.get('/plans', csv)).body)).toContain('code');
  });
});

describe('a format', () => {
  test('that an operation does not have is 406', async () => {
    const { data } = (await owner.get('/organizations?limit=1')).body;
    const { id } = data[0] as { id: string };
    for (const [path, accept] of [
      ['/organizations', 'application/xml'],
      [`/organizations/${id}`, 'text/csv'],
      ['/organizations', 'image/*;q=0.5, text/html'],
    ] as const) {
      const { status, body } = await owner.get(path, { accept });
      expect([path, accept, status, body.code]).toEqual([path, accept, 406, 'not_acceptable']);
      expect(body.available).toContain('application/json');
    }
  });

  test('is chosen by quality, and is JSON by default', async () => {
    const typeOf = async (accept: string) =>
      (await owner.get('/organizations?limit=100', { accept })).headers.get('content-type');
    expect(await typeOf('text/csv;q=0.5, application/x-ndjson')).toContain('x-ndjson');
    for (const accept of ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json, text/csv'])
      expect([accept, await typeOf(accept)]).toEqual([accept, 'application/json; charset=utf-8']);
  });

  test('cannot be combined with a synchronization', async () => {
    const { status, body } = await owner.get('/organizations?updatedSince=2026-01-01T00:00:00Z', csv);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'updatedSince' })]]);
    expect((await owner.get('/organizations?limit=0', ndjson)).status).toBe(400);
  });

  test('of a single resource can be requested by clients that accept problems', async () => {
    expect((await owner.get('/organizations/unknown', { accept: 'application/problem+json' })).status).toBe(404);
  });
});
