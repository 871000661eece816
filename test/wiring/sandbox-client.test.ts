/** Test mode in another process: what a router does when the process rejects calls, and without one. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient, SubgraphRequest } from '../../schema/subgraph-client.ts';
import { ANONYMOUS, inSandbox } from '../../schema/viewer.ts';
import { createSandboxClient } from '../../wiring/sandboxes/client.ts';
import { withoutTestMode } from '../../wiring/sandboxes/divert.ts';
import { createSandboxServer } from '../../wiring/sandboxes/server.ts';

const log = createLog({ name: 'test', level: 'silent' });
const [routerKey, accountsKey, ticketKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
const live: SubgraphClient = { query: () => Promise.resolve({ data: { from: 'platform' } }) };
const call = (account?: string): SubgraphRequest => ({
  query: '{ organizations(first: 1) { nodes { name } } }',
  variables: {},
  operationName: null,
  viewer: account === undefined ? ANONYMOUS : inSandbox(ANONYMOUS, account),
  requestId: 'test',
  signal: undefined,
});

let server: FastifyInstance;
let client: ReturnType<typeof createSandboxClient>;
beforeAll(async () => {
  const sandboxes = {
    query: (area: string, account: string) =>
      account === 'damaged'
        ? Promise.reject(new Problem('upstream_unavailable', 'The test data is unavailable. Retry the request.'))
        : Promise.resolve({ data: { from: `${area} of ${account}` } }),
    reset: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  server = createSandboxServer({ sandboxes, routerKey, accountsKey, log, readiness: {} });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  client = createSandboxClient({ url, key: routerKey, ticketKey, log });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

test('an account whose test data is unavailable does not affect other accounts, and reads the reason', async () => {
  const area = client.route('organizations', live, live);
  const reason = { code: 'upstream_unavailable', message: 'The test data is unavailable. Retry the request.' };
  for (let count = 0; count < 25; count += 1)
    await expect(area.query(call('damaged'))).rejects.toMatchObject({
      message: reason.message,
      extensions: { code: reason.code },
    });
  expect(await area.query(call('other'))).toEqual({ data: { from: 'organizations of other' } });
  expect(await area.query(call())).toEqual({ data: { from: 'platform' } });
});

test('without a sandbox process test keys never reach the data of the platform', async () => {
  const area = withoutTestMode('organizations', live);
  const rejected = { message: 'This installation has no test mode.', extensions: { code: 'upstream_unavailable' } };
  await expect(area.query(call('other'))).rejects.toMatchObject(rejected);
  expect(await area.query(call())).toEqual({ data: { from: 'platform' } });
});
