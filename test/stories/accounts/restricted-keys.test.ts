/** Keys that run only the registered documents of their account. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { codeOf, documentIdOf, persisted, registered, send, type GraphqlRequest } from './documents.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const request = (key: string | null, body: GraphqlRequest) => send(platform.graphqlUrl, key, body);

async function issue(accountName: string, registeredDocumentsOnly: boolean) {
  const data = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id version registeredDocumentsOnly } } }',
    { input: { accountName, plan: 'pro', scopes: ['documents:write'], registeredDocumentsOnly } },
  );
  const { key, apiKey } = data['issueApiKey'] as { key: string; apiKey: { id: string; registeredDocumentsOnly: boolean } };
  expect(apiKey.registeredDocumentsOnly).toBe(registeredDocumentsOnly);
  return { key, id: apiKey.id, client: createClient({ ...platform, key }) };
}

const update = (id: string, registeredDocumentsOnly: boolean | null) =>
  platform.administer(
    'mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateApiKey(id: $id, input: $input, ifMatch: "*") { registeredDocumentsOnly } }',
    { id, input: { registeredDocumentsOnly } },
  );

test('such a key rejects any other text with 403, in every form, and leaves REST alone', async () => {
  const { key, client } = await issue('Safe', true);
  const text = 'query safe { plans { nodes { code } } }';
  await registered(client, text);
  await eventually(async () => expect((await request(key, { documentId: documentIdOf(text) })).status).toBe(200));
  expect((await request(key, { query: text })).status).toBe(200);
  expect((await request(key, { query: text, extensions: persisted(text) })).status).toBe(200);
  for (const body of [
    { query: `${text} ` },
    { query: '{ __schema { queryType { name } } }' },
    { query: `${text} `, extensions: persisted(`${text} `) },
    { extensions: persisted(`${text} `) },
    { documentId: documentIdOf(`${text} `) },
  ]) {
    const rejected = await request(key, body);
    expect([rejected.status, codeOf(rejected)]).toEqual([403, 'document_not_registered']);
    expect(rejected.headers.get('ratelimit')).toContain('"day"');
  }
  expect((await client.get('/organizations')).status).toBe(200);
  expect((await client.get('/me')).body.key.registeredDocumentsOnly).toBe(true);
});

test('the setting can be changed within a second, and the change is in the history', async () => {
  const { key, id } = await issue('Changing', false);
  const body = { query: '{ plans { nodes { code } } }' };
  expect((await request(key, body)).status).toBe(200);
  await update(id, true);
  await eventually(async () => expect(codeOf(await request(key, body))).toBe('document_not_registered'), 1_000);
  await update(id, false);
  await eventually(async () => expect((await request(key, body)).status).toBe(200), 1_000);
  await expect(update(id, null)).rejects.toThrow('null');
  const administrator = await platform.administrator('VIEWER');
  const { body: log } = await administrator.graphql(
    'query ($id: ID!) { apiKey(id: $id) { history { nodes { changes { field before after } } } } }',
    { id },
  );
  const changes = log.data.apiKey.history.nodes.map((entry: { changes: unknown }) => entry.changes);
  expect(changes.slice(0, 2)).toEqual([
    [{ field: 'registeredDocumentsOnly', before: 'true', after: 'false' }],
    [{ field: 'registeredDocumentsOnly', before: 'false', after: 'true' }],
  ]);
});

test('a rotated key keeps the setting', async () => {
  const { id } = await issue('Rotated', true);
  const data = await platform.administer('mutation ($id: ID!) { rotateApiKey(id: $id) { apiKey { registeredDocumentsOnly } } }', {
    id,
  });
  expect(data['rotateApiKey']).toEqual({ apiKey: { registeredDocumentsOnly: true } });
});
