/** Closed months: the event, the invoices with gapless numbers, and statements as JSON, CSV and a page for print. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const billing = {
  name: 'Talent Platform GmbH & Co. <KG>',
  address: 'Hauptstraße 1\n10115 Berlin',
  vatId: 'DE123456789',
  currency: 'EUR',
  vatBasisPoints: 1_900,
  reverseChargeNote: 'Reverse charge applies.',
  numberPrefix: 'TP',
};

let platform: TestPlatform;
let database: pg.Client;
beforeAll(async () => {
  platform = await openTestPlatform({ billing });
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const now = new Date();
const monthsAgo = (count: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
// in the first two hours of a month the previous one is still open
const month = monthsAgo(now.getUTCDate() === 1 && now.getUTCHours() < 2 ? 2 : 1);

interface Customer extends Client {
  readonly key: string;
  readonly accountId: string;
}

/** An account whose key had its plan since the start of the month. */
async function customer(account: string, plan: string): Promise<Customer> {
  const client = await platform.account({ account, plan, scopes: plan === 'free' ? [] : ['events:read'] });
  const { rows } = await database.query<{ id: string }>(
    `update accounts.plan_held h set since = $2 from accounts.api_key k
     where k.public_id = $1 and h.quota_subject_id = k.quota_subject_id returning k.account_id as id`,
    [client.key.slice(0, client.key.indexOf('.')), `${month}-01T00:00:00Z`],
  );
  return { ...client, accountId: rows[0]?.id ?? '' };
}

const update = (id: string, input: object) =>
  platform.administer(
    'mutation ($id: ID!, $input: UpdateAccountInput!) { updateAccount(id: $id, input: $input, ifMatch: "*") { id } }',
    { id, input },
  );

const setBilling = `mutation ($input: UpdateBillingDataInput!) {
  updateBillingData(input: $input, ifMatch: "*") { legalName billingAddress vatId reverseCharge }
}`;

describe('billing data of an account', () => {
  test('is changed by owners and administrators; only administrators set a reverse charge', async () => {
    const owner = await createMember(platform);
    const developer = await createMember(platform, { role: 'DEVELOPER', accountId: owner.accountId });
    const input = { legalName: 'Partner Ltd.', billingAddress: '1 High Street\nLondon', vatId: 'GB 123' };
    expect((await owner.run(setBilling, { input })).updateBillingData).toEqual({ ...input, reverseCharge: false });
    expect(await developer.codeOf(setBilling, { input: { legalName: 'Other' } })).toBe('insufficient_scope');
    expect(await owner.codeOf(setBilling, { input: { reverseCharge: true } })).toBe('parameter_invalid');
    expect(await owner.codeOf(setBilling, { input: { vatId: '<b>' } })).toBe('validation_failed');
    await update(owner.accountId, { reverseCharge: true, vatId: null });
    const read = '{ member { account { legalName vatId reverseCharge } } }';
    expect((await developer.run(read)).member.account).toEqual({ legalName: 'Partner Ltd.', vatId: null, reverseCharge: true });
  });
});

describe('a month that closes', () => {
  let taxed: Customer;
  let reverse: Customer;
  let free: Customer;
  beforeAll(async () => {
    taxed = await customer('Taxed <script>alert(1)</script>', 'starter');
    reverse = await customer('Reverse', 'pro');
    free = await customer('Free', 'free');
    await update(reverse.accountId, {
      legalName: 'Reverse SARL',
      billingAddress: '1 rue A\nParis',
      vatId: 'FR 1',
      reverseCharge: true,
    });
    await Promise.all([platform.maintain(), platform.maintain()]);
    await platform.settled();
  });

  const statementOf = async (client: Client) => (await client.get(`/usage/statements/${month}`)).body;

  test('issues one invoice per statement, with VAT, or the note of a reverse charge', async () => {
    const { lines, invoice, csv, html } = await statementOf(taxed);
    expect([csv, html]).toEqual([undefined, undefined]);
    const price = { amountMinor: 2_900, currency: 'EUR' };
    expect(lines).toMatchObject([{ plan: 'starter', quantity: 1, price, amount: price }]);
    const [year = 0, monthNumber = 0] = month.split('-').map(Number);
    expect(invoice).toEqual({
      number: expect.stringMatching(/^TP-\d{4}-\d{6}$/),
      issuedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      periodStart: `${month}-01`,
      periodEnd: new Date(Date.UTC(year, monthNumber, 0)).toISOString().slice(0, 10),
      seller: { name: billing.name, address: billing.address, vatId: billing.vatId },
      buyer: { name: 'Taxed <script>alert(1)</script>', address: null, vatId: null },
      totals: [{ currency: 'EUR', netMinor: 2_900, vatMinor: 551, grossMinor: 3_451 }],
      vatBasisPoints: 1_900,
      note: null,
    });
    expect((await statementOf(reverse)).invoice).toMatchObject({
      buyer: { name: 'Reverse SARL', address: '1 rue A\nParis', vatId: 'FR 1' },
      totals: [{ netMinor: 14_900, vatMinor: 0, grossMinor: 14_900 }],
      vatBasisPoints: null,
      note: 'Reverse charge applies.',
    });
    expect((await statementOf(free)).invoice.totals).toEqual([{ currency: 'EUR', netMinor: 0, vatMinor: 0, grossMinor: 0 }]);
  });

  test('numbers the invoices of a year without gaps, and later changes do not change them', async () => {
    const { rows } = await database.query<{ number: string }>('select number from accounts.invoice order by number');
    const year = new Date().getUTCFullYear();
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => `TP-${year}-${String(index + 1).padStart(6, '0')}`));
    expect(rows.length).toBeGreaterThanOrEqual(3);
    const before = await statementOf(reverse);
    await update(reverse.accountId, { legalName: 'Renamed', reverseCharge: false });
    await platform.maintain();
    expect(await statementOf(reverse)).toEqual(before);
    for (const statement of [
      'update accounts.invoice set number = $1',
      'delete from accounts.invoice_total where currency <> $1',
    ])
      await expect(database.query(statement, ['x'])).rejects.toMatchObject({ code: '23001' });
  });

  test('is an event of each account, once, in the feed', async () => {
    for (const client of [taxed, reverse]) {
      const { data } = (await client.get('/events?type=statement.closed')).body;
      const { id } = await statementOf(client);
      expect(data).toMatchObject([{ type: 'statement.closed', resource: { type: 'statement', id } }]);
      expect(data).toHaveLength(1);
    }
  });

  test('returns the statement as CSV with one record per line', async () => {
    const response = await taxed.get(`/usage/statements/${month}`, { accept: 'text/csv' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [header, record, end] = String(response.body).split('\r\n');
    expect(header).toBe(
      'month,invoice,issuedOn,name,publicId,plan,planVersion,requests,units,quantity,unitPriceMinor,amountMinor,currency',
    );
    expect(record).toMatch(new RegExp(`^${month},TP-\\d{4}-\\d{6},\\d{4}-\\d{2}-\\d{2},.*,starter,1,\\d+,\\d+,1,2900,2900,EUR$`));
    expect(end).toBe('');
  });

  test('returns the invoice as a page for print: escaped, without script, under a strict policy', async () => {
    const response = await taxed.get(`/usage/statements/${month}`, { accept: 'text/html' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
    );
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const html = String(response.body);
    const { invoice } = await statementOf(taxed);
    for (const text of [
      invoice.number,
      '29.00 EUR',
      'VAT 19%',
      '5.51 EUR',
      '34.51 EUR',
      'GmbH &amp; Co. &lt;KG&gt;',
      'Taxed &lt;script&gt;',
    ])
      expect(html).toContain(text);
    expect(html).not.toMatch(/<script|javascript:| on\w+=/i);
    expect(String((await reverse.get(`/usage/statements/${month}`, { accept: 'text/html' })).body)).toContain(
      'Reverse charge applies.',
    );
    expect((await taxed.get(`/usage/statements/${month}`, { accept: 'application/pdf' })).status).toBe(406);
    expect((await taxed.get(`/usage/statements/${month}?fields=id`, { accept: 'text/csv' })).status).toBe(400);
    expect((await taxed.get('/usage/statements/1999-01', { accept: 'text/html' })).status).toBe(404);
    expect((await platform.anonymous.get(`/usage/statements/${month}`, { accept: 'text/html' })).status).toBe(401);
  });

  test('is read by members of the account and by administrators, and by no other account', async () => {
    const document = `{ usageStatement(month: "${month}") { invoice { number } document(format: HTML) } }`;
    const viewer = await createMember(platform, { role: 'VIEWER', accountId: taxed.accountId });
    const { invoice } = await statementOf(taxed);
    const own = (await viewer.run(document)).usageStatement;
    expect([own.invoice.number, own.document]).toEqual([invoice.number, expect.stringContaining(invoice.number)]);
    const stranger = await createMember(platform);
    expect((await stranger.run(document)).usageStatement).toBeNull();
    const ofAccount = `query ($id: ID!) { account(id: $id) { statement(month: "${month}") { invoice { number } document(format: CSV) } } }`;
    const administrator = await platform.administrator('VIEWER');
    const { body } = await administrator.graphql(ofAccount, { id: taxed.accountId });
    expect(body.data.account.statement).toEqual({
      invoice: { number: invoice.number },
      document: expect.stringContaining(invoice.number),
    });
    expect(await stranger.codeOf(ofAccount, { id: taxed.accountId })).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
