/** The account screens: list, create, edit, usage, contracts, statements, suspend and close. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let key: Client & { readonly key: string };

const hostile = '"><svg onload=alert(1)>';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('creates an account and finds it by a word of its name', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await page.getByText('No accounts yet').waitFor();
  await createClub(await platform.account({ account: 'Clubs' }), { name: 'Riverside United' });
  await button('Create account').first().click();
  await dialog().getByLabel('Name').fill(hostile);
  await dialog().getByLabel('Email').fill('office@example.com');
  await dialog().getByRole('combobox', { name: 'Organization' }).fill('riverside');
  await page.getByRole('option', { name: 'Riverside United (FR)' }).click();
  await capture('account-create');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await page.getByText('No API keys yet').waitFor();
  await page.getByText('Riverside United', { exact: true }).waitFor();
  await capture('account-new');
  for (const account of ['Beta', 'Alpha']) await platform.account({ account });
  await page.goto('/admin/accounts');
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.waitForURL(/sort=NAME_ASC/);
  await page.getByText('4 rows').waitFor();
  await capture('accounts');
  await page.getByRole('searchbox').fill('svg');
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByRole('link', { name: hostile }).click();
});

test('displays the API keys of an account and their requests by status, key and area', async () => {
  const { page } = visit;
  key = await platform.account({ account: hostile });
  await key.get('/athletes');
  await key.get('/organizations');
  await platform.flushUsage();
  await page.reload();
  const publicId = key.key.split('.')[0] ?? '';
  await page.getByRole('table', { name: 'API keys of the account' }).getByText(publicId).waitFor();
  await page.getByRole('radiogroup', { name: 'Requests by day: view' }).getByText('Table').click();
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('By area').click();
  await page.getByRole('columnheader', { name: 'organizations' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('By API key').click();
  await page.getByRole('columnheader', { name: publicId }).waitFor();
  await page.getByRole('radiogroup', { name: 'Requests by day: view' }).getByText('Chart').click();
});

test('displays the total of a closed month, and its line items when expanded', async () => {
  const { page } = visit;
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-statement', poolSize: 1 });
  await database.query(sql`/* test.statement */ with statement as (
      insert into accounts.statement (account_id, month, requests, units, late_requests, late_units)
      values (${page.url().split('/').at(-1)}, '2025-05-01', 1234567, 1200000, 3, 3) returning id)
    insert into accounts.statement_line select id, gen_random_uuid(), 'import', 'sp_live_000000000000', 'pro', 1, 14900, 'EUR', 1234567, 1200000
    from statement`);
  await database.close();
  await page.reload();
  const month = page.getByRole('button', { name: /^2025-05/ });
  await month.waitFor();
  expect(await month.textContent()).toBe('2025-051,234,567 requestsEUR\u00a0149.00');
  await month.click();
  await page.getByText('3 late requests from earlier months were not charged').waitFor();
  await capture('account-statement');
});

test('sets and ends a contract', async () => {
  const { page } = visit;
  await button('Set contract').click();
  await dialog().getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^plenty/ }).click();
  await dialog().getByLabel('Requests per day').fill('7654321');
  await capture('contract-set');
  await dialog().getByRole('button', { name: 'Set contract' }).click();
  await page.getByText('7,654,321').waitFor();
  await capture('account');
  await button('End contract for plenty').click();
  await dialog().getByLabel('Type plenty to confirm').fill('plenty');
  await dialog().getByRole('button', { name: 'End contract' }).click();
  await page.getByText('No contracts').waitFor();
});

test('a concurrent change is reported and not overwritten', async () => {
  const id = visit.page.url().split('/').at(-1);
  await button('Edit').click();
  await platform.administer(
    'mutation ($id: ID!) { updateAccount(id: $id, ifMatch: "*", input: { email: "other@example.com" }) { id } }',
    {
      id,
    },
  );
  await button('Save').click();
  await dialog().getByText('This was changed by another administrator').waitFor();
  await button('Load latest version').click();
  await dialog().getByText('This was changed by another administrator').waitFor({ state: 'detached' });
  expect(await dialog().getByLabel('Email').inputValue()).toBe('other@example.com');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
});

test('suspending an account rejects its API keys until it is reinstated; closing it is final', async () => {
  const { page } = visit;
  await button('Suspend').click();
  await dialog().getByText('1 live API key, 2 requests in the last 24 hours.').waitFor();
  await capture('account-suspend');
  await dialog().getByLabel('Reason').fill('unpaid');
  await dialog().getByLabel(/^Type/).fill(hostile);
  await dialog().getByRole('button', { name: 'Suspend' }).click();
  await button('Reinstate').waitFor();
  await eventually(async () => expect((await key.get('/athletes')).status).toBe(401), 1_000);
  await button('Reinstate').click();
  await button('Suspend').waitFor();
  await eventually(async () => expect((await key.get('/athletes')).status).toBe(200), 1_000);
  await button('Close account').click();
  await dialog().getByLabel(/^Type/).fill(hostile);
  await dialog().getByRole('button', { name: 'Close account' }).click();
  await page.getByText('Closed', { exact: true }).first().waitFor();
  await button('Edit').waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'History' }).getByText('Suspended: unpaid').waitFor();
});

test('a viewer has no actions', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto(visit.page.url());
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page
    .getByRole('button', { name: /^(Edit|Suspend|Close account|Set contract)$/ })
    .first()
    .waitFor({ state: 'detached' });
  await viewer.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
