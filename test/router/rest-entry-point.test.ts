/** The REST entry point: admission, then a registered operation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Admission, AdmissionRequest } from '../../router/admission/admission.ts';
import { createRestEntryPoint } from '../../router/rest/entry-point.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const asked: AdmissionRequest[] = [];
const settled: number[] = [];
const charged: number[] = [];
let refuse: Problem | null = null;
const admission: Pick<Admission, 'admit'> = {
  admit(_caller, request = {}) {
    asked.push(request);
    if (refuse !== null)
      return Promise.resolve({
        kind: 'REJECTED',
        problem: refuse,
        authenticated: true,
        headers: { 'retry-after': '1' },
        settle: ({ status }) => void settled.push(status),
      });
    return Promise.resolve({
      kind: 'ADMITTED',
      subject: 'someone',
      viewer: ANONYMOUS,
      authenticated: false,
      writes: 'ALLOWED',
      headers: { ratelimit: 'r' },
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
const ask = (operation: string | null, variables = {}) =>
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
  asked.length = settled.length = charged.length = 0;
  refuse = null;
  platform.broken.clear();
});
afterAll(() => platform.graph.close());

describe('the REST entry point', () => {
  test('admits by cost and required access, and passes headers and settlement on', async () => {
    const answer = await ask('list', { limit: 1 });
    expect(answer).toMatchObject({
      data: { organizations: { nodes: [{ id: '1' }] } },
      errors: [],
      headers: { ratelimit: 'r' },
      notes: { person: true },
    });
    answer.settle({ status: 200 });
    expect(settled).toEqual([200]);
    await ask('list', { limit: 100 });
    await ask('list');
    await ask('create', { input: { name: 'New' } });
    expect(asked).toEqual([
      { charge: 'COUNTED', cost: 1, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 11, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 3, requires: { key: false, scopes: [], alternatives: [] } },
      { charge: 'COUNTED', cost: 1, requires: { key: true, scopes: ['organizations:write'], alternatives: [] } },
    ]);
  });

  test('a request rejected by the bridge is admitted, and nothing is run', async () => {
    const answer = await ask(null);
    expect([answer.data, answer.errors, asked.length, platform.fetches.length]).toEqual([null, [], 1, platform.fetches.length]);
  });

  test('an input read after admission is charged for the rest of its cost, and the caller is admitted once', async () => {
    const response = await entryPoint.execute({
      operation: 'list',
      input: () => Promise.resolve({ document: 'list', variables: { limit: 100 } }),
      caller,
    });
    expect(response.errors).toEqual([]);
    expect(asked).toEqual([{ charge: 'COUNTED', cost: 1, requires: { key: false, scopes: [], alternatives: [] } }]);
    expect(charged).toEqual([10]);
  });

  test('a rejection of admission is the response, with its headers', async () => {
    refuse = new Problem('quota_exceeded', 'Enough.');
    const before = platform.fetches.length;
    expect(await ask('list')).toMatchObject({
      data: null,
      authenticated: true,
      headers: { 'retry-after': '1' },
      errors: [{ extensions: { code: 'quota_exceeded' } }],
    });
    expect(platform.fetches).toHaveLength(before);
  });

  test('an unknown operation, or one whose area is unavailable, is an error with a code', async () => {
    expect((await ask('nothing')).errors[0]?.extensions.code).toBe('operation_unknown');
    platform.broken.set('organizations', new Problem('upstream_unavailable', 'away'));
    expect((await ask('list')).errors[0]?.extensions.code).toBe('upstream_unavailable');
  });
});
