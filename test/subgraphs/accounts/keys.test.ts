/** API keys: issue, stored data, updates and revocation. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from '../../../platform/database/database.ts';
import { parseApiKey } from '../../../platform/security/api-key.ts';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { eventually } from '../../eventually.ts';
import { openTestArea, type TestArea } from './test-area.ts';

let area: TestArea;
beforeAll(async () => {
  area = await openTestArea();
});
afterAll(() => area.close());

const transition = (verb: string) =>
  `mutation ($id: ID!, $reason: String) { ${verb}ApiKey(id: $id, reason: $reason) { status version revokedAt revokedWhy } }`;
const update = `mutation ($id: ID!, $input: UpdateApiKeyInput!, $ifMatch: String!) {
  updateApiKey(id: $id, input: $input, ifMatch: $ifMatch) { version name scopes allowedCidrs expiresAt } }`;
const issueDocument = `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }`;

describe('issuing', () => {
  test('an issued key is admitted with its account and scopes', async () => {
    const { key, apiKey } = await area.issue({ scopes: ['athletes:write', 'events:read', 'athletes:write'] });
    expect(parseApiKey(key)?.publicId).toBe(apiKey.publicId);
    const admitted = await area.admit(key);
    expect(admitted).toMatchObject({
      kind: 'ADMITTED',
      viewer: { keyId: apiKey.publicId, plan: 'pro', scopes: ['athletes:write', 'events:read'] },
    });
  });

  test('the secret and its hash appear in no history entry, event, response or log line', async () => {
    const first = await area.issue({});
    const rotation = `mutation ($id: ID!) { rotateApiKey(id: $id) { key apiKey { id publicId version } } }`;
    const second = (await area.run(rotation, { id: first.apiKey.id })).data.rotateApiKey;
    await area.run(transition('revoke'), { id: first.apiKey.id, reason: 'leaked' });
    // an internal error is logged with its cause
    await area.owner.query(sql`/* test.break */ alter table accounts.contract rename to gone`);
    const failed = await area.run(rotation, { id: second.apiKey.id });
    const broken = await area.run(`mutation ($id: ID!) { moveApiKey(id: $id, plan: "free") { id } }`, {
      id: second.apiKey.id,
    });
    await area.owner.query(sql`/* test.restore */ alter table accounts.gone rename to contract`);
    expect(broken.codes).toEqual(['internal']);
    const visible = await area.run(`{ apiKeys(first: 100) { nodes { id publicId name revokedWhy rotatedTo { id } } } }`);
    const texts = await area.owner.query<{ text: string }>(sql`/* test.all */
      select h::text as text from accounts.history h union all select o::text from accounts.outbox o union all select i::text from accounts.idempotency i
      union all select (to_jsonb(k) - 'hash')::text from accounts.api_key k`);
    const all = [...texts.map(({ text }) => text), JSON.stringify(visible), ...area.logged()].join('\n');
    expect(all).toContain('moveApiKey');
    for (const { key, apiKey } of [first, second, failed.data.rotateApiKey]) {
      const [row] = await area.owner.query<{ hash: Buffer }>(
        sql`/* test.hash */ select hash from accounts.api_key where id = ${apiKey.id}`,
      );
      expect(all).toContain(apiKey.id);
      expect(all).not.toContain(parseApiKey(key)?.secret ?? '');
      for (const form of ['hex', 'base64', 'base64url'] as const) expect(all).not.toContain(row?.hash.toString(form));
    }
  });

  test('history contains the actor, and the event contains the account', async () => {
    const { apiKey } = await area.issue({ name: 'importer' });
    const [history] = await area.owner.query(
      sql`/* test.history */ select action, actor, changes from accounts.history where resource_id = ${apiKey.id}`,
    );
    expect(history).toMatchObject({ action: 'issued', actor: { kind: 'SYSTEM' }, changes: { name: [null, 'importer'] } });
    const [event] = await area.owner.query(sql`/* test.event */
      select o.type, a.name from accounts.outbox o join accounts.account a on a.id = o.account_id where o.resource_id = ${apiKey.id}`);
    expect(event).toEqual({ type: 'api_key.issued', name: 'Acme FC' });
  });

  test('ten concurrent requests with a new account name create one account', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => area.issue({ accountName: index % 2 ? 'Same Club' : 'same club' })),
    );
    const { data } = await area.run(`{ accounts(filter: { name: "SAME CLUB" }) { nodes { id } } }`);
    expect(data.accounts.nodes).toHaveLength(1);
    const keys = await area.run(`query ($id: ID!) { apiKeys(filter: { accountId: $id }) { nodes { id } } }`, {
      id: data.accounts.nodes[0]?.id,
    });
    expect(keys.data.apiKeys.nodes).toHaveLength(10);
  });

  test('an ambiguous account name is rejected with the IDs of the accounts', async () => {
    const create = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) { id } }`;
    await area.run(create, { input: { name: 'United' } });
    await area.run(create, { input: { name: 'United' } });
    await expect(area.issue({ accountName: 'United' })).rejects.toThrow('conflict');
  });

  test('a plan without write access allows no write scopes, and nothing is written', async () => {
    const rejected = area.issue({ accountName: 'Reader', plan: 'free', scopes: ['athletes:write'] });
    await expect(rejected).rejects.toThrow('write_not_in_plan');
    const { data } = await area.run(`{ accounts(filter: { name: "Reader" }) { nodes { id } } }`);
    expect(data.accounts.nodes).toEqual([]);
    await expect(area.issue({ accountName: 'Reader', plan: 'free', scopes: ['scouting:read'] })).resolves.toBeDefined();
  });

  test('all violations of an input are returned at once', async () => {
    const { codes, violations } = await area.run(issueDocument, {
      input: {
        plan: 'gold',
        scopes: ['athletes:write', 'athletes:eat'],
        allowedCidrs: ['10.1.2.3/8', '2001:db8::/32', 'office'],
        expiresAt: '2020-01-01T00:00:00Z',
      },
    });
    expect(codes).toEqual(['validation_failed']);
    expect(violations.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/accountId', 'one_of'],
      ['/plan', 'unknown_plan'],
      ['/scopes/1', 'unknown_scope'],
      ['/allowedCidrs/0', 'invalid_network'],
      ['/allowedCidrs/2', 'invalid_network'],
      ['/expiresAt', 'in_past'],
    ]);
  });

  test('ambiguous addresses are rejected: octal, short, or with a zone', async () => {
    const { violations } = await area.run(issueDocument, {
      input: {
        accountName: 'Ambiguous',
        plan: 'free',
        allowedCidrs: ['010.0.0.1', '10.1', '0x0a000001', '0/0', 'fe80::1%eth0', ''],
      },
    });
    expect(violations.map(({ pointer }) => pointer)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `/allowedCidrs/${index}`));
  });

  test('a single address is a network of one address, and a mapped IPv4 address is an IPv4 address', async () => {
    const { key } = await area.issue({ allowedCidrs: ['203.0.113.7', '2001:db8:0:0::/32'] });
    expect((await area.admit(key)).kind).toBe('ADMITTED');
    const mapped = await area.issue({ allowedCidrs: ['::ffff:203.0.113.0/120'] });
    expect((await area.admit(mapped.key)).kind).toBe('ADMITTED');
    const other = await area.issue({ allowedCidrs: ['198.51.100.0/24'] });
    expect(await area.admit(other.key)).toMatchObject({ kind: 'REJECTED', problem: { code: 'ip_not_allowed' } });
  });
});

describe('the life of a key', () => {
  test('a revoked key is rejected permanently within one second, and routers are notified', async () => {
    const { key, apiKey } = await area.issue({ plan: 'enterprise' });
    expect((await area.admit(key)).kind).toBe('ADMITTED');
    const listener = new pg.Client({ connectionString: area.ownerUrl });
    await listener.connect();
    try {
      await listener.query('listen api_key');
      const notified = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));
      const { data } = await area.run(transition('revoke'), { id: apiKey.id, reason: 'leaked' });
      expect(data.revokeApiKey).toMatchObject({ status: 'REVOKED', version: 2, revokedWhy: 'leaked' });
      expect(await notified).toBe(apiKey.publicId);
    } finally {
      await listener.end();
    }
    const rejected = { kind: 'REJECTED', problem: { code: 'api_key_revoked' } };
    await eventually(async () => expect(await area.admit(key)).toMatchObject(rejected), 1_000);
    for (const verb of ['enable', 'disable', 'revoke']) {
      expect((await area.run(transition(verb), { id: apiKey.id })).codes).toEqual(['invalid_transition']);
    }
    const changed = await area.run(update, { id: apiKey.id, input: { name: 'again' }, ifMatch: '*' });
    expect(changed.codes).toEqual(['invalid_transition']);
  });

  test('a disabled key is accepted again after it is enabled', async () => {
    const { key, apiKey } = await area.issue({});
    await area.run(transition('disable'), { id: apiKey.id });
    expect(await area.admit(key)).toMatchObject({ problem: { code: 'api_key_disabled' } });
    const { data } = await area.run(transition('enable'), { id: apiKey.id });
    expect(data.enableApiKey).toMatchObject({ status: 'ACTIVE', version: 3 });
    const events = await area.owner.query<{ type: string }>(
      sql`/* test.events */ select type from accounts.outbox where resource_id = ${apiKey.id} order by id`,
    );
    expect(events.map(({ type }) => type)).toEqual(['api_key.issued', 'api_key.updated', 'api_key.updated']);
  });

  test('a merge patch changes only its members; a stale version is rejected', async () => {
    const { apiKey } = await area.issue({ scopes: ['events:read'], expiresAt: '2099-01-01T00:00:00Z' });
    const { id } = apiKey;
    const patched = await area.run(update, { id, input: { name: 'new', expiresAt: null }, ifMatch: '"1"' });
    expect(patched.data.updateApiKey).toEqual({
      version: 2,
      name: 'new',
      scopes: ['events:read'],
      allowedCidrs: [],
      expiresAt: null,
    });
    expect((await area.run(update, { id, input: { name: 'old' }, ifMatch: '"1"' })).codes).toEqual(['precondition_failed']);
    const same = await area.run(update, { id, input: { name: 'new' }, ifMatch: '*' });
    expect(same.data.updateApiKey.version).toBe(2);
    expect((await area.run(update, { id, input: { name: null }, ifMatch: '*' })).codes).toEqual(['validation_failed']);
  });
});

test('keys can be filtered by account, status, plan and words', async () => {
  const first = await area.issue({ accountName: 'Finder', name: 'Importação noturna' });
  await area.issue({ accountName: 'Finder', name: 'website', plan: 'free' });
  const find = async (filter: string) =>
    (await area.run(`{ apiKeys(filter: { ${filter} }) { nodes { name account { name } } } }`)).data.apiKeys.nodes.map(
      (node) => node.name,
    );
  expect(await find('q: "importacao"')).toEqual(['Importação noturna']);
  expect(await find(`q: "${first.apiKey.publicId.slice(8, 16).toLowerCase()}"`)).toEqual(['Importação noturna']);
  expect(await find(`publicId: "${first.apiKey.publicId}", status: [ACTIVE]`)).toEqual(['Importação noturna']);
  expect(await find(`publicId: "${first.apiKey.publicId}", status: [REVOKED]`)).toEqual([]);
  expect(await find('q: "website", plan: "free"')).toEqual(['website']);
});

test('only the platform and administrators can call the administration', async () => {
  const { apiKey } = await area.issue({});
  const holder: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: apiKey.id, keyId: apiKey.publicId };
  const id = apiKey.id;
  const documents = [
    '{ accounts { nodes { id } } }',
    `{ account(id: "${id}") { id } }`,
    '{ apiKeys { nodes { id } } }',
    `{ apiKey(id: "${id}") { id } }`,
    '{ planVersions(code: "pro") { id } }',
    'mutation { createAccount(input: { name: "x" }) { id } }',
    'mutation { issueApiKey(input: { accountName: "x", plan: "free" }) { key } }',
    `mutation { updateApiKey(id: "${id}", input: {}, ifMatch: "*") { id } }`,
    ...['disable', 'enable', 'revoke'].map((verb) => `mutation { ${verb}ApiKey(id: "${id}") { id } }`),
    'mutation { changePlan(code: "pro", input: {}, ifMatch: "*") { id } }',
    `mutation { createPlan(input: { code: "x", name: "x", price: { amountMinor: 0, currency: "EUR" }, writes: true,
      limits: { burstPerMinute: 1, perDay: 1, perMonth: 1 } }) { id } }`,
  ];
  for (const document of documents) {
    expect([document, (await area.run(document, {}, holder)).codes]).toEqual([document, ['insufficient_scope']]);
    expect([document, (await area.run(document, {}, ANONYMOUS)).codes]).toEqual([document, ['api_key_missing']]);
  }
});
