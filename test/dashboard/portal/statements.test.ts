/** Statements in the portal: the list, a statement with its invoice as a screen, CSV, JSON and page for print, and the billing data. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

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
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform({ billing }), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const now = new Date();
// in the first two hours of a month the previous one is still open
const monthsAgo = now.getUTCDate() === 1 && now.getUTCHours() < 2 ? 2 : 1;
const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 7);

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

/** Closes the last month with a key that had the plan since its start. */
async function closeMonth(): Promise<void> {
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }';
  await platform.administer(issue, { input: { accountId: visit.member.accountId, plan: 'starter', name: 'server' } });
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-statements', poolSize: 1 });
  await database.query(sql`/* test.since */ update accounts.plan_held h set since = ${`${month}-01T00:00:00Z`}::timestamptz
    from accounts.api_key k where k.account_id = ${visit.member.accountId} and h.quota_subject_id = k.quota_subject_id`);
  await database.close();
  await platform.maintain();
}

test('an owner enters the billing data before the first statement', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Statements', exact: true }).click();
  await page.getByText('No statements yet').waitFor();
  await page.getByRole('link', { name: 'Open usage and limits' }).waitFor();
  await button('Edit billing data').click();
  const dialog = page.getByRole('dialog', { name: 'Edit billing data' });
  await dialog.getByLabel('Legal name').fill('Partner Ltd.');
  await dialog.getByLabel('Address').fill('1 High Street\nLondon');
  await dialog.getByLabel('VAT identification number').fill('<b>');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter 3 to 30 letters and digits.').waitFor();
  await checked('billing-data');
  await dialog.getByLabel('VAT identification number').fill('GB 123');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Partner Ltd.').waitFor();
  await checked('statements-empty');
});

test('a concurrent change of the billing data is reported and not overwritten', async () => {
  const { page, member } = visit;
  await button('Edit billing data').click();
  const dialog = page.getByRole('dialog', { name: 'Edit billing data' });
  await dialog.getByLabel('Legal name').fill('Partner Limited');
  await member.run('mutation { updateBillingData(ifMatch: "*", input: { vatId: "GB 124" }) { id } }');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This was changed in the meantime').waitFor();
  await dialog.getByRole('table', { name: 'Differences' }).getByText('GB 124').waitFor();
  await checked('billing-conflict');
  await dialog.getByRole('button', { name: 'Load latest version' }).click();
  await dialog.getByText('This was changed in the meantime').waitFor({ state: 'detached' });
  await dialog.getByLabel('VAT identification number').fill('GB 123');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('lists the closed months with their invoices and amounts', async () => {
  const { page } = visit;
  await closeMonth();
  await page.reload();
  const row = page.getByRole('table', { name: 'Statements' }).getByRole('row').nth(1);
  await row.getByText('EUR 34.51').waitFor();
  expect(await row.innerText()).toMatch(new RegExp(`^${month}\\s+TP-\\d{4}-\\d{6}`));
  await checked('statements');
  await row.getByRole('link', { name: month }).click();
  await page.getByRole('heading', { level: 1, name: `Statement ${month}` }).waitFor();
  await page
    .getByRole('table', { name: `Line items of ${month}` })
    .getByText('starter, version 1')
    .waitFor();
  const invoice = page.getByRole('region', { name: 'Invoice' });
  // amounts have a no-break space
  const content = (await invoice.innerText()).replaceAll('\u00A0', ' ');
  for (const text of ['EUR 29.00', 'EUR 5.51', 'EUR 34.51', 'VAT 19%', 'Partner Ltd.', '10115 Berlin', 'VAT ID GB 123'])
    expect(content).toContain(text);
  await checked('statement');
});

test('a statement is exported as CSV and JSON', async () => {
  const { page } = visit;
  const read = async (name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
    expect(download.suggestedFilename()).toBe(`statement-${month}.${name.slice(-4).trim().toLowerCase()}`);
    return readFile(await download.path(), 'utf8');
  };
  expect((await read('Export CSV')).split('\r\n')[1]).toMatch(new RegExp(`^${month},TP-.*,server,sp_live_.*,2900,2900,EUR$`));
  expect(JSON.parse(await read('Export JSON'))).toMatchObject({ month, invoice: { totals: [{ grossMinor: 3_451 }] } });
});

test('the screen prints without its controls, and the invoice opens as a page for print', async () => {
  const { page } = visit;
  await page.emulateMedia({ media: 'print' });
  await page.locator('nav[aria-label="Main"]').waitFor({ state: 'hidden' });
  expect(await page.getByRole('link', { name: 'Open invoice for print' }).isVisible()).toBe(false);
  expect(await button('Export CSV').isVisible()).toBe(false);
  expect(await page.getByText('EUR 34.51').first().isVisible()).toBe(true);
  if (process.env['SCREENSHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SCREENSHOTS']}/print-statement.png` });
  await page.emulateMedia({ media: 'screen' });
  const [print] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open invoice for print' }).click(),
  ]);
  await print.getByRole('heading', { level: 1, name: 'Invoice' }).waitFor();
  expect(await print.locator('body').innerText()).toContain('34.51 EUR');
  expect(await print.evaluate('getComputedStyle(document.querySelector("table")).borderCollapse')).toBe('collapse');
  if (process.env['SCREENSHOTS'] !== undefined)
    await print.screenshot({ path: `${process.env['SCREENSHOTS']}/invoice-page.png` });
  await print.close();
  expect(visit.faults()).toEqual([]);
});

test('a viewer on a phone reads statements and changes nothing; months without a statement are not found', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: visit.member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  const { page } = reading;
  await page.goto('/portal/statements');
  await page.getByText('Only owners can change the billing data.').waitFor();
  await page.getByRole('button', { name: 'Edit billing data' }).first().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: month }).click();
  await page.getByRole('link', { name: 'Open invoice for print' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  for (const other of ['2020-01', '2020-13', 'last']) {
    await page.goto(`/portal/statements/${other}`);
    await page.getByText('Statement not found').waitFor();
  }
  expect(reading.faults()).toEqual([]);
});
