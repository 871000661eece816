/** Test keys: streams of test data, a separate quota, and no effect on plan and statements of the account. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../eventually.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { openText } from '../events/event-source.ts';
import { club, issueTestKey, type KeyedClient } from './test-key.ts';

let platform: TestPlatform;
let live: KeyedClient;
let tested: KeyedClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  live = await platform.account({ account: 'Streams' });
  tested = await issueTestKey(platform, 'Streams');
  expect((await tested.post('/organizations', club('First'))).status).toBe(201);
});
afterAll(() => platform.close());

test('a stream with a test key has the events of the test data, and one with a live key has none of them', async () => {
  const [ofTest, ofLive] = [await openText(platform, tested.key), await openText(platform, live.key)];
  await live.post('/organizations', club('Live'));
  await tested.post('/organizations', club('Tested'));
  const text = await ofTest.until((read) => read.includes('"Tested"'));
  expect(text).toContain('"mode":"TEST"');
  expect(text).not.toContain('"Live"');
  expect(await ofLive.until((read) => read.includes('"Live"'))).not.toContain('"Tested"');
  await ofTest.close();
  await ofLive.close();
});

test('a subscription with a test key has the events of the test data', async () => {
  const abort = new AbortController();
  const response = await fetch(`${platform.graphqlUrl}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': tested.key },
    body: JSON.stringify({
      query: 'subscription { events(filter: { type: ["organization.created"] }) { mode type data { id } } }',
    }),
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await live.post('/organizations', club('Live subscription'));
  const { body } = await tested.post('/organizations', club('Tested subscription'));
  let text = '';
  while (!text.includes('event: next')) text += (await reader?.read())?.value ?? '';
  expect(text).toContain(body.id);
  expect(text).toContain('"mode":"TEST"');
  abort.abort();
  await reader?.cancel().catch(() => undefined);
});

test('members create test keys with write scopes on every plan; their quota is separate, and they do not decide about the plan', async () => {
  const member = await createMember(platform);
  const create = `mutation ($input: CreateOwnKeyInput!) { createOwnKey(input: $input) { key apiKey { id mode publicId plan { code } } } }`;
  const add = async (input: object) => (await member.run(create, { input: { name: 'server', ...input } })).createOwnKey;
  const scopes = ['organizations:write'];
  expect(await member.codeOf(create, { input: { name: 'server', scopes } })).toBe('write_not_in_plan');
  const [one, two, other] = [await add({}), await add({ mode: 'TEST', scopes }), await add({ mode: 'TEST' })];
  expect([one, two, other].map(({ apiKey }) => [apiKey.mode, apiKey.plan.code])).toEqual([
    ['LIVE', 'free'],
    ['TEST', 'free'],
    ['TEST', 'free'],
  ]);
  const monthly = async (key: string): Promise<string> => {
    const { status, headers } = await platform.anonymous.get('/organizations', { 'x-api-key': key });
    expect(status).toBe(200);
    return /"month";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? '';
  };
  const first = Number(await monthly(one.key));
  await monthly(two.key);
  expect(Number(await monthly(one.key))).toBe(first - 1);
  expect(Number(await monthly(other.key))).toBe(first - 1);

  const post = () => platform.anonymous.post('/organizations', club('Of a member'), { 'x-api-key': two.key });
  expect((await post()).status).toBe(201);
  // members extend their test keys
  const extend = `mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateOwnKey(id: $id, ifMatch: "*", input: $input) { scopes } }`;
  const added = [...scopes, 'events:read'];
  expect((await member.run(extend, { id: two.apiKey.id, input: { scopes: added } })).updateOwnKey.scopes).toEqual(added);
  // a test key stays a test key
  const rotate = 'mutation ($id: ID!) { rotateOwnKey(id: $id) { key apiKey { mode } } }';
  expect((await member.run(rotate, { id: two.apiKey.id })).rotateOwnKey).toMatchObject({
    key: expect.stringMatching(/^sp_test_/),
    apiKey: { mode: 'TEST' },
  });
  const { keyAllowance } = await member.run('{ keyAllowance { plan { code } } }');
  expect(keyAllowance.plan.code).toBe('free');
});

test('no plan is held for a test key, so that no statement contains it', async () => {
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  const { rows } = await database.query<{ prefix: string }>(
    `select distinct left(k.public_id, 8) as prefix from accounts.plan_held h join accounts.api_key k on k.quota_subject_id = h.quota_subject_id`,
  );
  await database.end();
  expect(rows).toEqual([{ prefix: 'sp_live_' }]);
});

test('a revoked test key, and one of a suspended account, are rejected', async () => {
  const doomed = await issueTestKey(platform, 'Suspended');
  expect((await doomed.get('/organizations')).status).toBe(200);
  const { body } = await doomed.get('/me');
  await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id: body.account.id });
  await eventually(async () => expect((await doomed.get('/organizations')).status).toBe(401));
});
