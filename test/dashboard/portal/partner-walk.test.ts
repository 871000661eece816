/** The way of a partner from the invitation to the first invoice, in the portal, the dashboard and the API. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { openBrowser, type Browser, type Visit } from '../../browser.ts';
import { createClient } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { createAccount } from '../../member.ts';
import { createEndpoint } from '../../stories/webhooks/fixture.ts';
import { openReceiver, verify, type Receiver } from '../../stories/webhooks/receiver.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAs, type SignedInVisit } from '../signed-in.ts';
import { addVirtualAuthenticator, type VirtualAuthenticator } from '../virtual-authenticator.ts';

const perDay = 12;
const billing = {
  name: 'Talent Platform GmbH',
  address: 'Hauptstraße 1\n10115 Berlin',
  vatId: 'DE123456789',
  currency: 'EUR',
  vatBasisPoints: 1_900,
  reverseChargeNote: 'Reverse charge applies.',
  numberPrefix: 'TP',
};

let platform: TestPlatform;
let browser: Browser;
let receiver: Receiver;
let operator: SignedInVisit;
let partner: Visit;
let authenticator: VirtualAuthenticator;
let accountId: string;
let testKey: string;
let liveKey: string;

beforeAll(async () => {
  const freeLimits = { burstPerMinute: 1_000, perDay, perMonth: 1_000 };
  [platform, browser, receiver] = await Promise.all([openTestPlatform({ billing, freeLimits }), openBrowser(), openReceiver()]);
  accountId = await createAccount(platform.administer, 'Walk FC');
  // passkeys need a host name
  const origin = platform.graphqlUrl.replace('127.0.0.1', 'localhost');
  [operator, partner] = await Promise.all([visitAs(browser, platform, 'OWNER'), browser.visit(origin)]);
  authenticator = await addVirtualAuthenticator(partner.page);
});
afterAll(async () => {
  await browser.close();
  await receiver.close();
  await platform.close();
});

const clientOf = (key: string) => createClient({ ...platform, key });
const open = (name: string) => partner.page.getByRole('link', { name, exact: true }).click();

/** Creates a key in the portal. */
async function createKey(name: string, mode: 'Live' | 'Test', scopes: readonly string[]): Promise<string> {
  const { page } = partner;
  await page.goto('/portal/keys/create');
  await page.getByLabel(/^Key name/).fill(name);
  await page.getByRole('radio', { name: mode }).check();
  for (const scope of scopes) await page.getByRole('checkbox', { name: new RegExp(`^${scope}`) }).check();
  await page.getByRole('button', { name: 'Create API key', exact: true }).click();
  const key = await page
    .getByRole('dialog')
    .getByText(/^sp_\w+\.\w+$/)
    .innerText();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return key;
}

test('an administrator invites the partner, who sets a password', async () => {
  const { page } = operator;
  await page.goto(`/admin/accounts/${accountId}`);
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  await page.getByRole('dialog', { name: 'Invite member' }).getByLabel('Email').fill('ada@walk.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invitation' }).click();
  const link = new URL(await page.getByRole('dialog', { name: 'Invitation link' }).getByText('/portal/setup#').innerText());
  await page.getByRole('dialog').getByRole('button', { name: 'I have saved it' }).click();
  await partner.page.goto(link.pathname + link.hash);
  await partner.page.getByRole('heading', { level: 1, name: 'Join Walk FC' }).waitFor();
  await partner.page.getByLabel('Name').fill('Ada');
  await partner.page.getByLabel(/^Password/).fill('correct horse battery');
  await partner.page.getByRole('button', { name: 'Accept invitation' }).click();
  await partner.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('the partner adds a passkey and signs in with it', async () => {
  const { page } = partner;
  await page.goto('/portal/profile');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Current password').fill('correct horse battery');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('table', { name: 'Passkeys' }).waitFor();
  expect(await authenticator.credentials()).toBe(1);
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('the partner writes in test mode, and a webhook arrives', async () => {
  testKey = await createKey('integration', 'Test', ['organizations:write', 'webhooks:write', 'events:read']);
  expect(testKey).toMatch(/^sp_test_/);
  const client = clientOf(testKey);
  const { secret } = await createEndpoint(client, receiver, { types: ['organization.created'] });
  const club = { type: 'CLUB', name: 'Walk FC', country: 'NO', sports: ['FOOTBALL'], status: 'ACTIVE' };
  expect((await client.post('/organizations', club)).status).toBe(201);
  const [request] = await receiver.received(1);
  if (request === undefined) throw new Error('no request');
  verify(secret, request);
  expect(JSON.parse(request.body)).toMatchObject({ mode: 'TEST', type: 'organization.created' });
  expect((await platform.anonymous.get('/organizations')).body.data).toEqual([]);
});

test('a live key is used, and a failed request is found in the log by its ID', async () => {
  liveKey = await createKey('server', 'Live', []);
  const failed = await clientOf(liveKey).get('/athletes?sprot=FOOTBALL');
  await platform.flushUsage();
  const { page } = partner;
  await open('Requests');
  await page.getByLabel('Request ID').fill(failed.headers.get('x-request-id') ?? '');
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Details of request/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Request' });
  await drawer.getByText('unknown_parameter').first().waitFor();
  await page.keyboard.press('Escape');
});

test('the limit is reached; the partner asks for another plan, an administrator grants it, and it applies', async () => {
  const client = clientOf(liveKey);
  for (let count = 0; count <= perDay; count += 1) await client.get('/organizations');
  expect(await client.get('/organizations')).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
  // the quota of test keys is separate
  expect((await clientOf(testKey).get('/organizations')).status).toBe(200);
  await open('Plan');
  await partner.page.getByRole('button', { name: 'Request the plan Pro' }).click();
  const request = partner.page.getByRole('dialog', { name: 'Request the plan Pro' });
  await request.getByLabel('Reason').fill('The season starts.');
  await request.getByRole('button', { name: 'Send request' }).click();
  await request.waitFor({ state: 'detached' });
  const { page } = operator;
  await page.goto('/admin/partner-requests');
  await page.getByRole('link', { name: 'Pro', exact: true }).click();
  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await page.getByRole('dialog').getByRole('radiogroup', { name: 'Effective' }).getByText('Now').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Grant' }).click();
  await page.getByText('Granted', { exact: true }).first().waitFor();
  await eventually(async () => expect((await client.get('/organizations')).status).toBe(200));
});

test('the statement of the month is printed', async () => {
  const now = new Date();
  const monthsAgo = now.getUTCDate() === 1 && now.getUTCHours() < 2 ? 2 : 1;
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 7);
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-walk', poolSize: 1 });
  await database.query(sql`/* test.since */ update accounts.plan_held set since = ${`${month}-01T00:00:00Z`}::timestamptz
    where account_id = ${accountId} and plan_code = 'pro'`);
  await database.close();
  await platform.maintain();
  const { page } = partner;
  await open('Statements');
  await page.getByRole('link', { name: month }).click();
  const lines = page.getByRole('table', { name: `Line items of ${month}` });
  await lines.getByText('pro, version 1').waitFor();
  // test keys are in no statement
  expect(await lines.innerText()).not.toContain('sp_test_');
  const [print] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open invoice for print' }).click(),
  ]);
  await print.getByRole('heading', { level: 1, name: 'Invoice' }).waitFor();
  expect(await print.locator('body').innerText()).toContain('Walk FC');
  expect([partner.faults(), operator.faults()]).toEqual([[], []]);
});
