/** The formats of responses with @defer and @stream, and the clients that get them. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mergeParts, readParts } from './parts-reader.ts';
import { deferAccept, openSmallApi, type SmallApi } from './small-api.ts';

let api: SmallApi;
beforeAll(async () => void (api = await openSmallApi()));
afterAll(() => api.close());

const squad = '{ organization(id: "1") { name ... @defer(label: "squad") { athletes { displayName } } } }';
const athletes = [{ displayName: 'Athlete a' }, { displayName: 'Athlete b' }];

describe('the format', () => {
  test('the first part has the fields outside of the fragment, the second one those of the fragment', async () => {
    const response = await api.send(squad);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="-";deferSpec=20220824');
    expect(await readParts(response)).toEqual([
      { data: { organization: { name: 'Alpha' } }, hasNext: true },
      { incremental: [{ data: { athletes }, path: ['organization'], label: 'squad' }], hasNext: false },
    ]);
  });

  test('@stream delivers the items after the first ones', async () => {
    const rest = '{ organization(id: "1") { athletes @stream(initialCount: 1, label: "rest") { displayName } } }';
    expect(await api.allOf(rest)).toEqual([
      { data: { organization: { athletes: athletes.slice(0, 1) } }, hasNext: true },
      {
        incremental: [{ items: athletes.slice(1), path: ['organization', 'athletes', 1], label: 'rest' }],
        hasNext: false,
      },
    ]);
  });

  test('a list that another selection also selects is not streamed', async () => {
    const twice = '{ organization(id: "1") { athletes @stream { displayName } ... @defer { athletes { id } } } }';
    const [first] = await api.allOf(twice);
    expect(first?.data).toEqual({ organization: { athletes } });
  });

  test('the newer format announces each part', async () => {
    const nested = `{ organization(id: "1") { name ... @defer(label: "squad") {
      athletes @stream(initialCount: 1, label: "rest") { displayName ... @defer { id } } } } }`;
    const response = await api.send(nested, {}, 'multipart/mixed;incrementalSpec=v0.2');
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="-";incrementalSpec=v0.2');
    const [first, second, ...others] = await readParts(response);
    expect(first).toEqual({
      data: { organization: { name: 'Alpha' } },
      pending: [{ id: '0', path: ['organization'], label: 'squad' }],
      hasNext: true,
    });
    expect(second).toEqual({
      pending: [
        { id: '1', path: ['organization', 'athletes'], label: 'rest' },
        { id: '2', path: ['organization', 'athletes', 0] },
      ],
      incremental: [{ id: '0', data: { athletes: athletes.slice(0, 1) } }],
      completed: [{ id: '0' }],
      hasNext: true,
    });
    expect(others).toEqual([
      {
        pending: [{ id: '3', path: ['organization', 'athletes', 1] }],
        incremental: [
          { id: '1', items: athletes.slice(1) },
          { id: '2', data: { id: 'a' } },
        ],
        completed: [{ id: '1' }, { id: '2' }],
        hasNext: true,
      },
      { incremental: [{ id: '3', data: { id: 'b' } }], completed: [{ id: '3' }], hasNext: false },
    ]);
  });

  test.each([
    ['without a version', 'application/json, multipart/mixed', 'deferSpec=20220824'],
    ['with a quoted version', 'multipart/mixed; boundary="-"; deferSpec="20220824"', 'deferSpec=20220824'],
    ['with both versions', 'multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824', 'incrementalSpec=v0.2'],
  ])('a client that accepts multipart/mixed %s gets parts', async (_, accept, version) => {
    const response = await api.send(squad, {}, accept);
    expect(response.headers.get('content-type')).toBe(`multipart/mixed;boundary="-";${version}`);
    expect(await readParts(response)).toHaveLength(2);
  });

  test.each([
    '*/*',
    'application/json',
    'application/json, multipart/mixed;q=0',
    'application/json, multipart/mixed;deferSpec=2019',
  ])('a client that accepts %s gets one response', async (accept) => {
    const response = await api.send(squad, {}, accept);
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    expect(await response.json()).toEqual({ data: { organization: { name: 'Alpha', athletes } } });
  });

  test('a rejected operation is JSON, also for a client that accepts only parts', async () => {
    const response = await api.send('{ nothing ... @defer { __typename } }', {}, 'multipart/mixed');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  test('an operation without these directives is JSON for every client', async () => {
    const response = await api.send('{ organization(id: "1") { name } }', {}, 'multipart/mixed');
    expect(await response.json()).toEqual({ data: { organization: { name: 'Alpha' } } });
  });

  test('a directive with the condition false has no effect', async () => {
    const conditional =
      'query ($later: Boolean) { organization(id: "1") { name ... @defer(if: $later) { sport } athletes @stream(if: $later) { id } } }';
    const expected = { organization: { name: 'Alpha', sport: 'FOOTBALL', athletes: [{ id: 'a' }, { id: 'b' }] } };
    expect(await api.allOf(conditional, { later: false })).toEqual([{ data: expected, hasNext: false }]);
    for (const later of [true, undefined]) {
      const parts = await api.allOf(conditional, { later });
      expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
      expect(mergeParts(parts)).toEqual(expected);
    }
  });

  test('GET requests and persisted queries are delivered in parts', async () => {
    const sha256Hash = createHash('sha256').update(squad).digest('hex');
    const persisted = { persistedQuery: { version: 1, sha256Hash } };
    const get = async (given: Record<string, string>) =>
      fetch(`${api.url}?${new URLSearchParams(given).toString()}`, {
        headers: { accept: deferAccept, 'x-api-key': 'tp_live_one' },
      });
    expect(await readParts(await get({ query: squad, extensions: JSON.stringify(persisted) }))).toHaveLength(2);
    expect(await readParts(await get({ extensions: JSON.stringify(persisted) }))).toHaveLength(2);
  });
});
