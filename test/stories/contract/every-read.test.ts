/**
 * Every GET of the document: its responses without and with `fields` and `include` match the document (test/contract.ts checks them). Every
 * tool: its result is the JSON of the route, for every client.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seedDemoData } from '../../../commands/demo/load.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { areas, type Area } from '../../../schema/areas.ts';
import type { Client } from '../../client.ts';
import { createMinor } from '../athletes/minors-fixture.ts';
import { openPrivateData, type PrivateData } from '../privacy/private-data.ts';
import { readOperations, type Read } from './read-operations.ts';

let data: PrivateData;
let clients: readonly Client[];
beforeAll(async () => {
  data = await openPrivateData();
  const { platform } = data;
  const urls = areas.map((area) => [area, platform.database.urlAs(areaRole(area))] as const);
  const areaUrls = Object.fromEntries(urls) as Record<Area, string>;
  await seedDemoData({ areaUrls, ownerUrl: platform.database.ownerUrl, athletes: 300, today: '2026-11-21' });
  await platform.settled();
  const keyed = await platform.account({ account: 'Reader' });
  await keyed.post('/registered-documents/batch', { items: [{ text: '{ plans { nodes { code } } }' }] });
  await keyed.post('/reports', { subjectType: 'ATHLETE', subjectId: data.ids.athlete, category: 'OTHER', text: 'Wrong' });
  const incident = { title: 'Slow', impact: 'DEGRADED', components: ['EVENTS'], text: 'We look into it.' };
  await platform.administer('mutation ($input: CreateIncidentInput!) { createIncident(input: $input) { id } }', {
    input: incident,
  });
  await createMinor(data.third, ['PROFILE']);
  const { body: webhook } = await keyed.post('/webhooks', { url: 'http://127.0.0.1:9/', types: ['match.finished'] });
  await keyed.post(`/webhooks/${webhook.id}/test`);
  await platform.settled();
  await platform.flushUsage();
  clients = [platform.anonymous, keyed, data.agent, data.scout, data.owner, data.third];
});
afterAll(() => data.close());

/** Filters that some lists require, or need in order to have rows. */
const filters = async (path: string): Promise<string> => {
  const first = async (list: string): Promise<string> => {
    const { body } = await data.platform.anonymous.get(`${list}?limit=1`);
    return String(body.data[0].id);
  };
  if (path === '/athletes/suggestions' || path === '/search') return 'q=a';
  if (path === '/competitions/rankings') return `seasonId=${await first('/competitions/seasons')}`;
  if (path === '/competitions/head-to-head') {
    const { body } = await data.platform.anonymous.get('/organizations/teams?limit=2');
    const [team, opponent] = body.data;
    return `teamId=${team.id}&opponentId=${opponent.id}`;
  }
  if (path === '/scouting/opportunity-matches')
    return `athleteId=${await first('/athletes')}&opportunityId=${await first('/opportunities')}`;
  if (path === '/scouting/similar' || path === '/scouting/comparisons') {
    const { body } = await data.platform.anonymous.get('/scouting/prospects?limit=2');
    const ids: readonly string[] = body.data.map((each: { athlete: { id: string } }) => each.athlete.id);
    return path === '/scouting/similar' ? `athleteId=${ids[0] ?? ''}` : `athleteId=${ids.join()}`;
  }
  if (path === '/scouting/recommendations') return `opportunityId=${await first('/opportunities')}`;
  if (path === '/usage') return 'granularity=DAY';
  return '';
};

type Row = Readonly<Record<string, unknown>> & { readonly athlete?: { readonly id: string } | null };

/** The values of the last parameter of a path, from the list that contains the resources. */
const keyOf = (list: string, row: Row, parameter: string): string | null => {
  const own = row[parameter] ?? (list === '/scouting/prospects' ? row.athlete?.id : row['id']);
  return typeof own === 'string' ? own : null;
};

/** The keys of the resources in a list, for the first client that sees any. */
async function readKeys(list: string, parameter: string): Promise<readonly string[]> {
  for (const client of clients) {
    const { status, body } = await client.get(`${list}${list === '/plans' ? '' : '?limit=100'}`);
    const rows = status === 200 && Array.isArray(body.data) ? body.data : [];
    const keys = rows.flatMap((row: Row) => keyOf(list, row, parameter) ?? []);
    if (keys.length > 0) return keys.map(encodeURIComponent);
  }
  return [];
}

const known = new Map<string, Promise<readonly string[]>>();
function keysOf(list: string, parameter: string): Promise<readonly string[]> {
  const key = `${list} ${parameter}`;
  const keys = known.get(key) ?? readKeys(list, parameter);
  known.set(key, keys);
  return keys;
}

/** Paths without parameters that may exist, for a template. */
async function* fill(template: string): AsyncGenerator<string> {
  const [before = '', parameter, after = ''] = /^(.*?)\{(\w+)\}(.*)$/.exec(template)?.slice(1) ?? [];
  if (parameter === undefined) yield template;
  else for (const key of await keysOf(before.slice(0, -1), parameter)) yield* fill(`${before}${key}${after}`);
}

/** The first request to an operation with a response, with data if possible. */
async function find(read: Read): Promise<{ client: Client; path: string; query: string } | null> {
  const query = await filters(read.path);
  let empty: { client: Client; path: string; query: string } | null = null;
  for await (const path of fill(read.path)) {
    for (const client of clients) {
      const { status, body } = await client.get(query === '' ? path : `${path}?${query}`);
      if (status !== 200) continue;
      if (!Array.isArray(body.data) || body.data.length > 0) return { client, path, query };
      empty ??= { client, path, query };
    }
  }
  return empty;
}

/** Resources that this data does not contain. The tests of these resources read them. */
const absent = [
  '/competitions/matches/{matchId}/actions/{id}',
  '/competitions/seasons/{seasonId}/tie-break-decisions/{id}',
  '/usage/statements/{month}',
];
const reached = readOperations.filter(({ path }) => !absent.includes(path));

test.each(reached.map((read) => [read.path, read] as const))('GET %s', async (_, read) => {
  const found = await find(read);
  expect(found).not.toBeNull();
  if (found === null) return;
  const { client, path, query } = found;
  const get = async (parameters: string): Promise<void> => {
    const { status, body } = await client.get(`${path}?${[query, parameters].filter((each) => each !== '').join('&')}`);
    expect({ path, parameters, status, body: status === 200 ? null : body }).toMatchObject({ status: 200 });
  };
  if (read.optional.length > 0) await get(`include=${read.optional.join(',')}`);
  for (const member of read.members) await get(`fields=${member}`);
});

/** Lists of rows without an id, the periods and plans of an account, and the feed, which is read by position. */
const withoutIds = ['/competitions/rankings', '/events', '/plans', '/scouting/discovery', '/usage/statements'];
const lists = readOperations.filter(
  ({ path, parameters }) =>
    parameters.includes('updatedSince') || (parameters.includes('cursor') && !path.includes('{') && !withoutIds.includes(path)),
);

test.each(lists.map((read) => [read.path, read] as const))('GET %s selects resources by ids', async (_, read) => {
  expect(read.parameters).toContain('ids');
  const found = await find(read);
  expect(found).not.toBeNull();
  if (found === null) return;
  const { client, path, query } = found;
  const idsOf = async (parameters: string): Promise<readonly string[]> => {
    const { status, body } = await client.get(`${path}?${query}${query && '&'}${parameters}`);
    expect({ path, parameters, status }).toMatchObject({ status: 200 });
    return body.data.map(({ id }: { id: string }) => id);
  };
  const last = (await idsOf('limit=20')).at(-1);
  const unknown = crypto.randomUUID();
  expect(await idsOf(`ids=${unknown}`)).toEqual([]);
  if (last !== undefined) expect(await idsOf(`ids=${last},${unknown}`)).toEqual([last]);
});

const rpc = async (client: Client, method: string, params: object) => {
  const { status, body } = await client.send('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.result;
};

/** Without what differs between two equal requests: cursors are encrypted with a random value. */
const comparable = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      name === 'requestId' || (name === 'nextCursor' && value !== null) ? 'differs' : value,
    ),
  );

/** The values of the parameters in a path. */
const parametersOf = (template: string, path: string): Record<string, string> => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
};

test('every tool returns to every client what its route returns', async () => {
  const { tools } = await rpc(data.platform.anonymous, 'tools/list', {});
  const names = new Set(tools.map(({ name }: { name: string }) => name));
  const reads = readOperations.filter(({ operationId }) => names.has(operationId));
  expect(reads).toHaveLength(names.size);
  for (const read of reads) {
    const found = await find(read);
    expect([read.path, found]).not.toEqual([read.path, null]);
    const { path, query } = found ?? { path: '', query: '' };
    const include = read.optional.length > 0 ? `include=${read.optional.join(',')}` : '';
    for (const parameters of [query, [query, include].filter((each) => each !== '').join('&')]) {
      const given = { ...parametersOf(read.path, path), ...Object.fromEntries(new URLSearchParams(parameters)) };
      for (const client of clients) {
        const { body } = await client.get(`${path}?${parameters}`);
        const { structuredContent, content } = await rpc(client, 'tools/call', { name: read.operationId, arguments: given });
        const at = { path, parameters };
        expect({ ...at, body: comparable(structuredContent) }).toEqual({ ...at, body: comparable(body) });
        expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      }
    }
  }
});
