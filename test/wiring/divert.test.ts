/** Which client answers an operation of test mode, and how long an account waits after its test data did not open. */
import { expect, test } from '@jest/globals';
import type { SubgraphClient, SubgraphRequest } from '../../schema/subgraph-client.ts';
import { accountViewer, inSandbox, SYSTEM } from '../../schema/viewer.ts';
import { divert } from '../../wiring/sandboxes/divert.ts';
import { createOpeningPauses } from '../../wiring/sandboxes/opening-pauses.ts';

const account = '01a20000-0000-7000-8000-000000000000';
const ofTestKey = inSandbox({ ...accountViewer(account, ['events:read']), keyId: 'sp_test_000000000000' }, account);

const request = (query: string, viewer = ofTestKey): SubgraphRequest => ({
  query,
  variables: {},
  operationName: null,
  viewer,
  requestId: 'test',
  signal: undefined,
});

test('test data is deleted without the protection of the live area, which counts failures and concurrent calls', async () => {
  const calls: string[] = [];
  const deadlines: (number | undefined)[] = [];
  const clientOf = (name: string): SubgraphClient => ({
    query({ deadlineMs }) {
      calls.push(name);
      deadlines.push(deadlineMs);
      return Promise.resolve({ data: {} });
    },
  });
  const sandbox = clientOf('sandbox');
  const area = divert('accounts', clientOf('protected'), (each) => sandbox.query(each), clientOf('unprotected'));
  await area.query(request('mutation { deleteTestData { deleted } }'));
  expect([calls, typeof deadlines[0]]).toEqual([['unprotected'], 'number']);
  await area.query(request('{ me { plan { code } } }'));
  await area.query(request('{ webhookEndpoints { nodes { id } } }'));
  await area.query(request('{ plans { code } }', SYSTEM));
  expect(calls.slice(1)).toEqual(['protected', 'sandbox', 'protected']);
});

test('an account waits 1 s after a failed opening, twice as long after each further one, at most 30 s, until one succeeds', () => {
  let now = 0;
  const pauses = createOpeningPauses(() => now);
  const waits: number[] = [];
  for (let failures = 1; failures <= 7; failures += 1) {
    pauses.failed('a');
    const before = now;
    while (isPaused('a')) now += 100;
    waits.push(now - before);
  }
  function isPaused(accountId: string): boolean {
    try {
      pauses.requireNone(accountId);
      return false;
    } catch {
      return true;
    }
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  pauses.failed('a');
  expect([isPaused('a'), isPaused('b')]).toEqual([true, false]);
  pauses.succeeded('a');
  expect(isPaused('a')).toBe(false);
});
