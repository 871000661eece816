/** Plan changes of keys, and contracts that override a plan's numbers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../platform/database/database.ts';
import { createKeyActions } from './key-actions.ts';
import { openTestArea, type TestArea } from './test-area.ts';

let area: TestArea;
let actions: ReturnType<typeof createKeyActions>;
beforeAll(async () => {
  area = await openTestArea();
  actions = createKeyActions(area);
});
afterAll(() => area.close());

describe('a plan change', () => {
  test('to a more expensive plan is immediate and keeps the used quota', async () => {
    const { key, apiKey } = await area.issue({ plan: 'starter' });
    expect((await area.admitted(key)).headers.ratelimit).toContain('"day";r=9999');
    const { data } = await actions.move(apiKey.id, 'pro');
    expect(data.moveApiKey).toMatchObject({ plan: { code: 'pro' }, nextPlan: null, limits: { perDay: 100_000 } });
    const { viewer, headers } = await area.router().admitted(key);
    expect(viewer.plan).toBe('pro');
    expect(headers['ratelimit']).toContain('"day";r=99998');
    expect(await actions.eventsOf(apiKey.id)).toEqual(['api_key.issued', 'api_key.plan_changed']);
    expect(await actions.planHistoryOf(apiKey.id)).toEqual([
      { code: 'starter', open: false, joined: true },
      { code: 'pro', open: true, joined: true },
    ]);
  });

  test('to a cheaper plan applies at the end of the month to all live keys of the lineage, even before the rows are updated', async () => {
    const old = await area.issue({ plan: 'pro' });
    const { apiKey, key } = (await actions.rotate(old.apiKey.id)).data.rotateApiKey;
    const { data } = await actions.move(apiKey.id, 'starter');
    const now = new Date();
    const ends = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(data.moveApiKey).toMatchObject({ plan: { code: 'pro' }, nextPlan: { code: 'starter', at: ends } });
    expect((await actions.read(old.apiKey.id)).nextPlan).toEqual({ code: 'starter', at: ends });
    expect((await area.admitted(key)).viewer.plan).toBe('pro');
    const { viewer } = await area.admitted(key);
    const me = '{ me { plan { code } nextPlan { code at } limits { perDay } } }';
    expect((await area.run(me, {}, viewer)).data.me).toEqual({
      plan: { code: 'pro' },
      nextPlan: { code: 'starter', at: ends },
      limits: { perDay: 100_000 },
    });
    for (const id of [old.apiKey.id, apiKey.id]) await actions.makeDue('next_plan_at', id);
    const other = area.router();
    expect((await other.admitted(key)).viewer.plan).toBe('starter');
    expect((await area.run(me, {}, viewer)).data.me).toEqual({
      plan: { code: 'starter' },
      nextPlan: null,
      limits: { perDay: 10_000 },
    });
    await area.catchUp();
    expect(await actions.eventsOf(apiKey.id)).toEqual(['api_key.issued', 'api_key.updated', 'api_key.plan_changed']);
    expect((await other.admitted(old.key)).viewer.plan).toBe('starter');
    expect(await actions.planHistoryOf(apiKey.id)).toEqual([
      { code: 'pro', open: false, joined: true },
      { code: 'starter', open: true, joined: true },
    ]);
  });

  test('can be postponed, replaced and canceled; a write after its time applies it first', async () => {
    const { apiKey } = await area.issue({ plan: 'pro' });
    expect((await actions.move(apiKey.id, 'free', 'PERIOD_END')).data.moveApiKey).toMatchObject({ nextPlan: { code: 'free' } });
    expect((await actions.move(apiKey.id, 'starter')).data.moveApiKey).toMatchObject({ nextPlan: { code: 'starter' } });
    const { version } = await actions.read(apiKey.id);
    expect((await actions.move(apiKey.id, 'starter')).data.moveApiKey).toMatchObject({ version });
    expect((await actions.move(apiKey.id, 'pro')).data.moveApiKey).toMatchObject({ plan: { code: 'pro' }, nextPlan: null });
    expect((await actions.move(apiKey.id, 'enterprise', 'PERIOD_END')).data.moveApiKey).toMatchObject({
      nextPlan: { code: 'enterprise' },
    });
    await actions.makeDue('next_plan_at', apiKey.id);
    await actions.transition('disable', apiKey.id);
    expect(await actions.eventsOf(apiKey.id)).toEqual([
      'api_key.issued',
      ...Array.from({ length: 4 }, () => 'api_key.updated'),
      'api_key.plan_changed',
      'api_key.updated',
    ]);
    expect((await actions.move(apiKey.id, 'free', 'NOW')).data.moveApiKey).toMatchObject({ plan: { code: 'free' } });
    expect((await actions.planHistoryOf(apiKey.id)).map(({ code }) => code)).toEqual(['pro', 'enterprise', 'free']);
    expect((await actions.move(apiKey.id, 'gold')).violations).toMatchObject([{ pointer: '/plan', code: 'unknown_plan' }]);
    await actions.transition('revoke', apiKey.id);
    expect((await actions.move(apiKey.id, 'pro')).codes).toEqual(['invalid_transition']);
    expect((await actions.planHistoryOf(apiKey.id)).at(-1)).toEqual({ code: 'free', open: false, joined: true });
  });

  test('a key with write scopes cannot move to a plan without writes, and a key with such a scheduled move gets no write scope', async () => {
    const { apiKey } = await area.issue({ plan: 'pro', scopes: ['athletes:write'] });
    for (const when of ['NOW', 'PERIOD_END', 'BY_PRICE'])
      expect((await actions.move(apiKey.id, 'free', when)).codes).toEqual(['write_not_in_plan']);
    const update = `mutation ($id: ID!, $scopes: [String!]) { updateApiKey(id: $id, input: { scopes: $scopes }, ifMatch: "*") { id } }`;
    await area.run(update, { id: apiKey.id, scopes: [] });
    expect((await actions.move(apiKey.id, 'free')).codes).toEqual([]);
    expect((await area.run(update, { id: apiKey.id, scopes: ['athletes:write'] })).codes).toEqual(['write_not_in_plan']);
    // A predecessor after its grace period writes nothing, so it moves together with its successor.
    const old = await area.issue({ plan: 'pro', scopes: ['athletes:write'] });
    const next = (await actions.rotate(old.apiKey.id)).data.rotateApiKey.apiKey;
    await area.run(update, { id: next.id, scopes: [] });
    expect((await actions.move(next.id, 'free', 'NOW')).codes).toEqual(['write_not_in_plan']);
    await actions.makeDue('expires_at', old.apiKey.id);
    expect((await actions.move(next.id, 'free', 'NOW')).codes).toEqual([]);
    expect(await actions.read(old.apiKey.id)).toMatchObject({ plan: { code: 'free' } });
  });

  test('of an account includes all its live keys, even with concurrent rotations', async () => {
    const issued = await Promise.all(Array.from({ length: 5 }, () => area.issue({ accountName: 'Movers', plan: 'starter' })));
    const { id } = (await actions.read(issued[0]?.apiKey.id ?? '')).account;
    const moved = `mutation ($id: ID!) { moveAccount(id: $id, plan: "pro") { id } }`;
    const responses = await Promise.all([area.run(moved, { id }), ...issued.map(({ apiKey }) => actions.rotate(apiKey.id))]);
    expect(responses.flatMap(({ codes }) => codes)).toEqual([]);
    const { data } = await area.run(`query ($id: ID!) { account(id: $id) { keys(first: 100) { nodes { plan { code } } } } }`, {
      id,
    });
    expect(data.account.keys.nodes).toEqual(Array.from({ length: 10 }, () => ({ plan: { code: 'pro' } })));
  });
});

describe('a contract', () => {
  const set = (accountId: string, plan: string, input: object) =>
    area.run(
      `mutation ($accountId: ID!, $plan: String!, $input: ContractInput!) { setContract(accountId: $accountId, plan: $plan, input: $input) {
        id version plan perDay perMonth price { amountMinor currency } endedAt } }`,
      { accountId, plan, input },
    );

  test('overrides the specified numbers immediately until it ends', async () => {
    const { key, apiKey } = await area.issue({ accountName: 'Contracted', plan: 'enterprise' });
    const { account: owner } = await actions.read(apiKey.id);
    const created = await set(owner.id, 'enterprise', { perDay: 7, price: { amountMinor: 100, currency: 'EUR' } });
    expect(created.data.setContract).toMatchObject({ version: 1, plan: 'enterprise', perDay: 7, perMonth: null });
    const { headers, viewer } = await area.router().admitted(key);
    expect(headers['ratelimit-policy']).toContain('"day";q=7;w=86400, "month";q=100000000;');
    const me = '{ me { limits { perDay perMonth } plan { limits { perDay } } } usage { day { limit } } }';
    const { data } = await area.run(me, {}, viewer);
    expect(data.me).toEqual({ limits: { perDay: 7, perMonth: 100_000_000 }, plan: { limits: { perDay: 5_000_000 } } });
    expect(data.usage.day).toEqual({ limit: 7 });
    const repeated = await set(owner.id, 'enterprise', { perMonth: 70 });
    expect(repeated.data.setContract).toMatchObject({
      id: created.data.setContract.id,
      version: 2,
      perDay: null,
      perMonth: 70,
      price: null,
    });
    const ended = await area.run('mutation ($id: ID!) { endContract(id: $id) { endedAt } }', {
      id: created.data.setContract.id,
    });
    expect(ended.codes).toEqual([]);
    expect((await area.router().admitted(key)).headers['ratelimit-policy']).toContain('"day";q=5000000;');
    const listed = await area.run('query ($id: ID!) { account(id: $id) { contracts { id } } }', { id: owner.id });
    expect(listed.data.account.contracts).toEqual([]);
    const history = await area.owner.query(
      sql`/* test.contracts */ select action from accounts.history where resource_id = ${created.data.setContract.id} order by version`,
    );
    expect(history).toEqual([{ action: 'created' }, { action: 'updated' }, { action: 'ended' }]);
  });

  test('is billed at its price at the end of the month, not at a later one', async () => {
    const { apiKey } = await area.issue({ accountName: 'Billed', plan: 'enterprise' });
    const { account: owner } = await actions.read(apiKey.id);
    const priced = (amountMinor: number) => set(owner.id, 'enterprise', { price: { amountMinor, currency: 'EUR' } });
    const contract = (await priced(100)).data.setContract.id;
    const ago = sql`now() - interval '3 months'`;
    await area.owner.query(sql`/* test.contract */ update accounts.contract set created_at = ${ago} where id = ${contract}`);
    await area.owner.query(sql`/* test.history */ update accounts.history set at = ${ago} where resource_id = ${contract}`);
    await area.owner.query(sql`/* test.held */ update accounts.plan_held set since = ${ago} where account_id = ${owner.id}`);
    await priced(999);
    await priced(5);
    await area.catchUp();
    const billed = await area.owner.query(sql`/* test.lines */ select distinct l.amount_minor as amount, l.currency
      from accounts.statement s join accounts.statement_line l on l.statement_id = s.id where s.account_id = ${owner.id}`);
    expect(billed).toEqual([{ amount: 100, currency: 'EUR' }]);
  });

  test('affects price comparisons; without numbers or for an unknown plan it is rejected', async () => {
    const { apiKey } = await area.issue({ accountName: 'Bargain', plan: 'pro' });
    const { account: owner } = await actions.read(apiKey.id);
    await set(owner.id, 'pro', { price: { amountMinor: 1000, currency: 'EUR' } });
    expect((await actions.move(apiKey.id, 'starter')).data.moveApiKey).toMatchObject({
      plan: { code: 'starter' },
      nextPlan: null,
    });
    await set(owner.id, 'enterprise', { price: { amountMinor: 1, currency: 'USD' } });
    expect((await actions.move(apiKey.id, 'enterprise')).codes).toEqual(['conflict']);
    expect((await set(owner.id, 'pro', {})).codes).toEqual(['validation_failed']);
    expect((await set(owner.id, 'gold', { perDay: 1 })).violations).toMatchObject([{ code: 'unknown_plan' }]);
  });
});
