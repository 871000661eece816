/** The REST entry point: admission, then a registered operation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Admission, AdmissionRequest } from '../../router/admission/admission.ts';
import { createRestEntryPoint } from '../../router/rest/entry-point.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { anonymousHolder } from './anonymous-holder.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const requested: AdmissionRequest[] = [];
const settled: number[] = [];
const charged: number[] = [];
let rejection: Problem | null = null;
const admission: Pick<Admission, 'admit'> = {
  admit(_caller, request = {}) {
    requested.push(request);
    if (rejection !== null)
      return Promise.resolve({
        kind: 'REJECTED',
        problem: rejection,
        authenticated: true,
        headers: { 'retry-after': '1' },
        settle: ({ status }) => void settled.push(status),
      });
    return Promise.resolve({
      kind: 'ADMITTED',
      holder: anonymousHolder,
      quota: null,
      registeredDocumentsOnly: false,
      subject: 'someone',
      viewer: ANONYMOUS,
      authenticated: false,
      writes: 'ALLOWED',
      headers: { ratelimit: 'r' },
      notModifiedHeaders: { ratelimit: 'n' },
      keep: () => undefined,
      charge(units) {
        charged.push(units);
        return Promise.resolve(null);
      },
      settle: ({ status }) => void settled.push(status),
    });
  },
};
const caller: Caller = { credentials: [], address: '::1', host: 'h', requestId: 'r', traceparent: null };
const entryPoint = createRestEntryPoint({ graph: platform.graph, admission, log: pino({ level: 'silent' }) });
const send = (operation: string | null, variables = {}) =>
  entryPoint.execute({ operation, input: operation === null ? null : { document: operation, variables }, caller });

beforeAll(() =>
  platform.graph.register(
    new Map([
      ['list', () => 'query list($limit: Int! = 20) { organizations(first: $limit) { nodes { id athletes { id } } } }'],
      ['create', () => 'mutation create($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }'],
    ]),
  ),
);
beforeEach(() => {
  requested.length = settled.length = charged.length = 0;
  rejection = null;
  platform.broken.clear();
});
afterAll(() => platform.graph.close());

describe('the REST entry point', () => {
  test('admits by cost and required access, and passes headers and settlement on', async () => {
    const reply = await send('list', { limit: 1 });
    expect(reply).toMatchObject({
      data: { organizations: { nodes: [{ id: '1' }] } },
      errors: [],
      headers: { ratelimit: 'r' },
      notes: { person: true },
    });
    reply.settle({ status: 200 });
    expect(settled).toEqual([200]);
    await send('list', { limit: 100 });
    await send('list');
    await send('create', { input: { name: 'New' } });
    expect(requested).toEqual([
      { charge: 'COUNTED', cost: 1, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 11, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 3, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 1, requires: { key: true, scopes: ['organizations:write'], alternatives: [] } },
    ]);
  });

  test('a request rejected by the bridge is admitted, and nothing is run', async () => {
    const reply = await send(null);
    expect([reply.data, reply.errors, requested.length, platform.fetches.length]).toEqual([null, [], 1, platform.fetches.length]);
  });

  test('an input read after admission is charged for the rest of its cost, and the caller is admitted once', async () => {
    const response = await entryPoint.execute({
      operation: 'list',
      input: () => Promise.resolve({ document: 'list', variables: { limit: 100 } }),
      caller,
    });
    expect(response.errors).toEqual([]);
    expect(requested).toEqual([{ charge: 'COUNTED', cost: 1, requires: { key: false, scopes: [], alternatives: [] } }]);
    expect(charged).toEqual([10]);
  });

  test('a rejection of admission is the response, with its headers', async () => {
    rejection = new Problem('quota_exceeded', 'Enough.');
    const before = platform.fetches.length;
    expect(await send('list')).toMatchObject({
      data: null,
      authenticated: true,
      headers: { 'retry-after': '1' },
      errors: [{ extensions: { code: 'quota_exceeded' } }],
    });
    expect(platform.fetches).toHaveLength(before);
  });

  test('an unknown operation, or one whose area is unavailable, is an error with a code', async () => {
    expect((await send('nothing')).errors[0]?.extensions.code).toBe('operation_unknown');
    platform.broken.set('organizations', new Problem('upstream_unavailable', 'away'));
    expect((await send('list')).errors[0]?.extensions.code).toBe('upstream_unavailable');
  });
});
