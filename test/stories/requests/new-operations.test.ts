/** Planning is expensive: the number of new operations per caller and minute is limited. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiResponse } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ newOperationsPerMinute: { anonymous: 10, keyed: 15 } });
});
afterAll(() => platform.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const fresh = (index: number): string => `query fresh${index} { plans { nodes { code } } }`;

async function sendMany(count: number, execute: (text: string) => Promise<ApiResponse>, first: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push((await execute(fresh(first + index))).status);
  return all;
}
const timesOk = (count: number): number[] => Array.from({ length: count }, () => 200);

test('an anonymous address can send ten new operations per minute; known ones, REST and other addresses are not affected', async () => {
  const execute = (text: string, address = '203.0.113.1') => platform.anonymous.graphql(text, {}, from(address));
  expect(await sendMany(10, execute, 0)).toEqual(timesOk(10));
  const rejected = await execute(fresh(10));
  expect({ status: rejected.status, code: rejected.body.errors[0].extensions.code }).toEqual({
    status: 429,
    code: 'rate_limited',
  });
  expect(rejected.body.errors[0].message).toMatch(/Reuse documents with variables or use an API key\. Retry in \d+ s\./);
  const wait = Number(rejected.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await execute(fresh(3))).status).toBe(200);
  expect((await platform.anonymous.get('/plans', from('203.0.113.1'))).status).toBe(200);
  expect((await execute(fresh(10), '203.0.113.2')).status).toBe(200);
  expect((await execute(fresh(10))).status).toBe(200);
});

test('another operation of a known document is new, persisted or not', async () => {
  const text = Array.from({ length: 12 }, (_, index) => `query choice${index} { plans { nodes { name } } }`).join(' ');
  const sha256Hash = createHash('sha256').update(text).digest('hex');
  const send = async (operationName: string, query?: string): Promise<number> => {
    const response = await fetch(`${platform.graphqlUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from('203.0.113.3') },
      body: JSON.stringify({ query, operationName, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    });
    return response.status;
  };
  const all = [await send('choice0', text)];
  for (let index = 1; index < 12; index++) all.push(await send(`choice${index}`));
  expect(all).toEqual([...timesOk(10), 429, 429]);
});

test('each set of values of the conditions is new once, because it has its own plan', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const text = `query (${names.map((name) => `$${name}: Boolean!`).join(', ')}) { plans { nodes { code ${names.map((name) => `${name}: name @include(if: $${name})`).join(' ')} } } }`;
  const send = async (index: number): Promise<number> => {
    const variables = Object.fromEntries(names.map((name, bit) => [name, (index & (1 << bit)) !== 0]));
    return (await platform.anonymous.graphql(text, variables, from('203.0.113.4'))).status;
  };
  const all: number[] = [];
  for (let index = 0; index < 12; index++) all.push(await send(index));
  expect(all).toEqual([...timesOk(10), 429, 429]);
  expect(await send(3)).toBe(200);
});

test('a key has a higher limit', async () => {
  const client = await platform.account({ account: 'Curious' });
  expect(await sendMany(16, (text) => client.graphql(text), 100)).toEqual([...timesOk(15), 429]);
});

test('a document above 64 KiB is rejected', async () => {
  const comment = (bytes: number): string => `#${'x'.repeat(bytes - 1)}\n{ plans { nodes { code } } }`;
  const { status, body } = await platform.anonymous.graphql(comment(65_536));
  expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 413, code: 'payload_too_large' });
  expect(body.errors[0].message).toContain('64 KiB');
  expect((await platform.anonymous.graphql(comment(60_000))).status).toBe(200);
  expect((await platform.anonymous.graphql(`#${'€'.repeat(22_000)}\n{ __typename }`)).status).toBe(413);
});

test('one key cannot evict the operations of others with comments or long documents', async () => {
  const flooder = await platform.account({ account: 'Flooder' });
  const mine = Array.from({ length: 10 }, (_, index) => `{ athletes(first: 1) { nodes { x${index}: id } } }`);
  const read = async (): Promise<number[]> => {
    const all: number[] = [];
    for (const text of mine) all.push((await platform.anonymous.graphql(text, {}, from('203.0.113.9'))).status);
    return all;
  };
  expect(await read()).toEqual(timesOk(10));
  const padded = Array.from({ length: 40 }, (_, index) => `{ plans { nodes { code } } } #${index}${'x'.repeat(63_000)}`);
  for (const text of padded) expect((await flooder.graphql(text)).status).toBe(200);
  expect(await read()).toEqual(timesOk(10));
  const fields = Array.from({ length: 400 }, (_, index) => `${'y'.repeat(90)}${index}: code`).join(' ');
  const long = Array.from({ length: 3 }, (_, index) => `{ plans { nodes { x${index}: name ${fields} } } }`);
  const statuses: number[] = [];
  for (const text of long) statuses.push((await flooder.graphql(text)).status);
  // a document of 40,000 characters counts as ten
  expect(statuses).toEqual([200, 200, 429]);
});
