/** Registered documents: accounts register GraphQL documents and run them by id. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';
import { codeOf, documentIdOf, persisted, register, registered, send, type GraphqlRequest } from './documents.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client & { readonly key: string };
let reader: Client;
beforeAll(async () => {
  platform = await openTestPlatform({ newOperationsPerMinute: { anonymous: 10, keyed: 5 } });
  owner = await platform.account({ account: 'Owner' });
  other = await platform.account({ account: 'Other' });
  reader = await platform.account({ account: 'Reader', scopes: [] });
});
afterAll(() => platform.close());

const request = (key: string | null, body: GraphqlRequest, url = platform.graphqlUrl) => send(url, key, body);

const planText = 'query planName($code: String!) { plan(code: $code) { name } }';

describe('registering', () => {
  test('returns one outcome per document; a registered document is unchanged', async () => {
    const good = 'query first { plans { nodes { code } } }';
    const { status, body } = await register(
      owner,
      good,
      '{ plans { nodes { cod } } }',
      '{ plans',
      'query a { __typename } query b { __typename }',
    );
    expect(status).toBe(200);
    expect(body.summary).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 3 });
    const failed = body.data.map(({ error }: { error: { code: string; errors: { detail: string }[] } | null }) => [
      error?.code,
      error?.errors[0]?.detail,
    ]);
    expect(failed).toEqual([
      [undefined, undefined],
      ['validation_failed', 'Cannot query field "cod" on type "Plan". Did you mean "code" or "id"? (line 1, column 19)'],
      ['validation_failed', 'Syntax Error: Expected Name, found <EOF>. (line 1, column 8)'],
      ['validation_failed', 'A registered document has exactly one operation. Register each operation separately.'],
    ]);
    const again = await register(owner, good);
    expect(again.body.data).toEqual([{ ...body.data[0], outcome: 'UNCHANGED' }]);
  });

  test('a document above the limits of the API is rejected with its code', async () => {
    const deep = `{ organizations { nodes ${'{ teams { nodes '.repeat(8)}{ id } ${'} }'.repeat(8)} } }`;
    const costly = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: organizations(first: 100) { nodes { teams(first: 100) { nodes { id } } } }`).join(' ')} }`;
    const long = `{ ${'id '.repeat(4_001)} }`;
    const large = `{ __typename } #${'x'.repeat(32_768)}`;
    const internal = '{ documentChecks(texts: []) { operationName } }';
    const { body } = await register(owner, deep, costly, long, large, internal);
    expect(body.data.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      'query_too_deep',
      'query_too_complex',
      'token_limit',
      'validation_failed',
      'validation_failed',
    ]);
  });

  test('a text that is sent twice is registered once, and a batch is replayed by its Idempotency-Key', async () => {
    const items = Array.from({ length: 2 }, () => ({ text: 'query twice { __typename }' }));
    const first = await owner.post('/registered-documents/batch', { items }, { 'idempotency-key': 'twice' });
    expect(first.body.summary).toEqual({ created: 1, updated: 0, unchanged: 1, failed: 0 });
    const second = await owner.post('/registered-documents/batch', { items }, { 'idempotency-key': 'twice' });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  test('an account has at most 1,000 documents', async () => {
    const full = await platform.account({ account: 'Full' });
    const { body: me } = await full.get('/me');
    const database = openDatabase({ url: platform.database.urlAs(areaRole('accounts')), name: 'test' });
    await database.query(sql`/* test.documents */ insert into registered_document (account_id, document_id, size_bytes, text)
      select ${me.account.id}, 'sha256:' || lpad(n::text, 64, '0'), 1, 'x' from generate_series(1, 999) n`);
    await database.close();
    const { body } = await register(full, 'query last { __typename }', 'query more { __typename }');
    expect(body.summary).toMatchObject({ created: 1, failed: 1 });
    const error = body.data.find((item: { error: object | null }) => item.error !== null)?.error;
    expect(error).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Delete documents') });
  });

  test('needs the scope documents:write', async () => {
    const { status, body } = await register(reader, '{ __typename }');
    expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', ['documents:write']]);
    expect((await register(platform.anonymous, '{ __typename }')).status).toBe(401);
  });

  test('costs three units per document', async () => {
    const used = async () => (await owner.get('/usage')).body.day.used as number;
    const before = await used();
    await register(owner, ...Array.from({ length: 4 }, (_, index) => `query cost${index} { __typename }`));
    expect((await used()) - before).toBe(12);
  });

  test('documents are listed, read and deleted by their account only', async () => {
    const text = 'query owned { plans { nodes { name } } }';
    const id = await registered(owner, text);
    const documentId = documentIdOf(text);
    const card = { id, version: 1, documentId, operationName: 'owned', sizeBytes: text.length };
    const list = await owner.get(`/registered-documents?documentId=${encodeURIComponent(documentId)}`);
    expect(list.body.data).toEqual([expect.objectContaining(card)]);
    expect(list.body.data[0]).not.toHaveProperty('text');
    const first = await owner.get('/registered-documents?limit=1');
    expect(first.body.page.hasMore).toBe(true);
    const second = await owner.get(`/registered-documents?limit=1&cursor=${first.body.page.nextCursor}`);
    expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
    const one = await owner.get(`/registered-documents/${id}`);
    expect(one.body).toMatchObject({ ...card, text });
    expect((await other.get(`/registered-documents/${id}`)).status).toBe(404);
    expect((await other.get('/registered-documents')).body.data).toEqual([]);
    expect((await other.delete(`/registered-documents/${id}`, { 'if-match': '*' })).status).toBe(404);
    expect((await owner.delete(`/registered-documents/${id}`)).status).toBe(428);
    expect((await owner.delete(`/registered-documents/${id}`, { 'if-match': one.headers.get('etag') ?? '' })).status).toBe(200);
    expect((await owner.get(`/registered-documents/${id}`)).status).toBe(404);
  });

  test('works over GraphQL, and the history has the id and the size but not the text', async () => {
    const text = 'query secretShape { plans { nodes { writes } } }';
    const { body } = await owner.graphql(
      'mutation ($items: [RegisterDocumentInput!]!) { registerDocuments(items: $items) { data { outcome id } } }',
      { items: [{ text }] },
    );
    expect(body.data.registerDocuments.data[0].outcome).toBe('CREATED');
    const read = await owner.graphql('{ registeredDocuments(first: 1) { nodes { operationName text } } }');
    expect(read.body.data.registeredDocuments.nodes).toEqual([{ operationName: 'secretShape', text }]);
    const database = openDatabase({ url: platform.database.urlAs(areaRole('accounts')), name: 'test' });
    try {
      const [entry] = await database.query<{ action: string; changes: object }>(sql`/* test.history */
        select action, changes from accounts.history where resource_id = ${body.data.registerDocuments.data[0].id}`);
      expect(entry).toMatchObject({
        action: 'registered',
        changes: { documentId: [null, documentIdOf(text)], sizeBytes: [null, text.length] },
      });
      expect(JSON.stringify(entry)).not.toContain('writes');
    } finally {
      await database.close();
    }
  });
});

describe('running a registered document', () => {
  beforeAll(() => registered(owner, planText));

  test('by documentId, by the hash of a persisted query, and over GET', async () => {
    const variables = { code: 'pro' };
    const expected = { data: { plan: { name: expect.any(String) } } };
    expect((await request(owner.key, { documentId: documentIdOf(planText), variables })).body).toEqual(expected);
    expect((await request(owner.key, { extensions: persisted(planText), variables })).body).toEqual(expected);
    const query = new URLSearchParams({ documentId: documentIdOf(planText), variables: JSON.stringify(variables) });
    const response = await fetch(`${platform.graphqlUrl}/graphql?${query.toString()}`, { headers: { 'x-api-key': owner.key } });
    expect(await response.json()).toEqual(expected);
  });

  test('is not possible with a key of another account, without a key, or with an unknown id', async () => {
    const body = { documentId: documentIdOf(planText), variables: { code: 'pro' } };
    const foreign = await request(other.key, body);
    expect([foreign.status, codeOf(foreign)]).toEqual([400, 'document_not_found']);
    expect(foreign.body.errors[0].message).toContain('POST /api/v1/registered-documents/batch');
    const anonymous = await request(null, body);
    expect(anonymous.body.errors[0].message).toContain('Send the API key of the account that registered it.');
    expect(codeOf(await request(other.key, { extensions: persisted(planText) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(codeOf(await request(owner.key, { documentId: documentIdOf('unknown') }))).toBe('document_not_found');
  });

  test('rejects a malformed id, and an id with a text', async () => {
    for (const documentId of ['x', 1, documentIdOf(planText).toUpperCase(), documentIdOf(planText).slice(7)])
      expect(codeOf(await request(owner.key, { documentId }))).toBe('parameter_invalid');
    expect(codeOf(await request(owner.key, { documentId: documentIdOf(planText), query: planText }))).toBe('parameter_invalid');
  });

  test('is not a new operation', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `query many${index} { plans { nodes { code } } }`);
    await register(other, ...texts);
    for (const text of texts) expect((await request(other.key, { documentId: documentIdOf(text) })).status).toBe(200);
  });

  test('ends seconds after it was deleted', async () => {
    const text = 'query deleted { __typename }';
    const id = await registered(owner, text);
    expect((await request(owner.key, { documentId: documentIdOf(text) })).status).toBe(200);
    await owner.delete(`/registered-documents/${id}`, { 'if-match': '*' });
    await eventually(
      async () => expect(codeOf(await request(owner.key, { documentId: documentIdOf(text) }))).toBe('document_not_found'),
      15_000,
    );
  });
});

test.each(wirings)('documents are checked and run with %s', async (wiring) => {
  const own = await openTestPlatform({ wiring });
  try {
    const client = await own.account({ account: 'Elsewhere' });
    const text = 'query elsewhere { organizations { nodes { name } } }';
    const { body } = await register(client, text, '{ nothing }');
    expect(body.summary).toMatchObject({ created: 1, failed: 1 });
    expect((await request(client.key, { documentId: documentIdOf(text) }, own.graphqlUrl)).body).toEqual({
      data: { organizations: { nodes: [] } },
    });
  } finally {
    await own.close();
  }
});
