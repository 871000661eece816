/** The screens of accounts: found, created, changed, with contracts, usage and statements, and ended by name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
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

async function look(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('an account is created, and found by words of its name', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await page.getByText('No accounts yet').waitFor();
  await button('Create account').click();
  await dialog().getByLabel('Name').fill(hostile);
  await dialog().getByLabel('E-mail').fill('office@example.com');
  await dialog().getByLabel('Organization').fill('none');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await dialog()
    .getByText(/must be an id/)
    .waitFor();
  await look('account-create-refused');
  await dialog().getByLabel('Organization').fill('');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await page.getByText('No keys yet').waitFor();
  await look('account-new');
  for (const account of ['Beta', 'Alpha']) await platform.account({ account });
  await page.goto('/admin/accounts');
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.waitForURL(/sort=NAME_ASC/);
  await page.getByText('3 rows').waitFor();
  await look('accounts');
  await page.getByRole('searchbox').fill('svg');
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByRole('link', { name: hostile }).click();
});

test('its screen shows its keys and what they ask, told apart by outcome, key and area', async () => {
  const { page } = visit;
  key = await platform.account({ account: hostile });
  await key.get('/athletes');
  await key.get('/organizations');
  await platform.metered();
  await page.reload();
  const publicId = key.key.split('.')[0] ?? '';
  await page.getByRole('table', { name: 'Keys of the account' }).getByText(publicId).waitFor();
  await page.getByText('Table', { exact: true }).click();
  await page.getByRole('radiogroup', { name: 'Told apart' }).getByText('By area').click();
  await page.getByRole('columnheader', { name: 'organizations' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Told apart' }).getByText('By key').click();
  await page.getByRole('columnheader', { name: publicId }).waitFor();
  await page.getByText('Chart', { exact: true }).click();
});

test('a month that closed shows its total, and its lines when it is opened', async () => {
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
  await page.getByText('3 requests of earlier months came late').waitFor();
  await look('account-statement');
});

test('a contract is set and ended', async () => {
  const { page } = visit;
  await button('Set a contract').click();
  await dialog().getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^plenty/ }).click();
  await dialog().getByLabel('Requests a day').fill('7654321');
  await look('contract-set');
  await dialog().getByRole('button', { name: 'Set' }).click();
  await page.getByText('7,654,321').waitFor();
  await look('account');
  await button('End the contract for plenty').click();
  await dialog().getByLabel('Type plenty to go on').fill('plenty');
  await dialog().getByRole('button', { name: 'End' }).click();
  await page.getByText('No contracts').waitFor();
});

test('what somebody else changed meanwhile is told, and not overwritten', async () => {
  const id = visit.page.url().split('/').at(-1);
  await button('Edit').click();
  await platform.administer(
    'mutation ($id: ID!) { updateAccount(id: $id, ifMatch: "*", input: { email: "other@example.com" }) { id } }',
    {
      id,
    },
  );
  await button('Save').click();
  await dialog().getByText('Somebody changed this meanwhile').waitFor();
  await button('Load what it is now').click();
  await dialog().getByText('Somebody changed this meanwhile').waitFor({ state: 'detached' });
  expect(await dialog().getByLabel('E-mail').inputValue()).toBe('other@example.com');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
});

test('suspended by its name, its keys are refused until it is reinstated; closed, for good', async () => {
  const { page } = visit;
  await button('Suspend').click();
  await dialog().getByText('1 live key, 2 calls in the last 24 hours.').waitFor();
  await look('account-suspend');
  await dialog().getByLabel('Why').fill('unpaid');
  await dialog().getByLabel(/^Type/).fill(hostile);
  await dialog().getByRole('button', { name: 'Suspend' }).click();
  await button('Reinstate').waitFor();
  await eventually(async () => expect((await key.get('/athletes')).status).toBe(401), 1_000);
  await button('Reinstate').click();
  await button('Suspend').waitFor();
  await eventually(async () => expect((await key.get('/athletes')).status).toBe(200), 1_000);
  await button('Close account').click();
  await dialog().getByLabel(/^Type/).fill(hostile);
  await dialog().getByRole('button', { name: 'Close for good' }).click();
  await page.getByText('Closed', { exact: true }).waitFor();
  expect(await button('Edit').count()).toBe(0);
  await page.getByRole('table', { name: 'History' }).getByText('suspend: unpaid').waitFor();
});

test('who only looks is offered nothing', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto(visit.page.url());
  await viewer.page.getByText('Your role looks only.').waitFor();
  expect(await viewer.page.getByRole('button', { name: /^(Edit|Suspend|Close account|Set a contract)$/ }).count()).toBe(0);
  await viewer.close();
});

test('none of these screens has a barrier in light or dark, and their policy refuses them nothing', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
