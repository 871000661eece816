/** Printed pages have the content without navigation, filters and buttons, in black on white. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Paper FC' });
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

/** Prints a dark page. */
async function print(): Promise<void> {
  await visit.page.emulateMedia({ colorScheme: 'dark' });
  await visit.page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await visit.page.emulateMedia({ media: 'print' });
  await visit.page.locator('html[data-mantine-color-scheme=light]').waitFor();
}
const isVisible = (selector: string) => visit.page.locator(selector).first().isVisible();

test('a list prints its rows only', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await page.getByRole('link', { name: 'Paper FC' }).waitFor();
  expect(await isVisible('nav[aria-label="Main"]')).toBe(true);
  await print();
  await visit.page.locator('nav[aria-label="Main"]').waitFor({ state: 'hidden' });
  expect(await Promise.all(['header', '[role=search]', 'main button'].map(isVisible))).toEqual([false, false, false]);
  expect(await isVisible('main table')).toBe(true);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate('getComputedStyle(document.querySelector("main td")).color')).toBe('rgb(0, 0, 0)');
  expect(await page.evaluate('document.querySelector("main").getBoundingClientRect().left')).toBe(0);
  if (process.env['SCREENSHOTS'] !== undefined) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/print-list.png` });
  await page.emulateMedia({ media: 'screen' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
});

test('an opened statement prints with its line items', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Paper FC' }).click();
  await page.getByRole('heading', { level: 1, name: 'Paper FC' }).waitFor();
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-print', poolSize: 1 });
  await database.query(sql`/* test.statement */ with statement as (
      insert into accounts.statement (account_id, month, requests, units, late_requests, late_units)
      values (${page.url().split('/').at(-1)}, '2025-05-01', 12, 12, 0, 0) returning id)
    insert into accounts.statement_line select id, gen_random_uuid(), 'import', 'sp_live_000000000000', 'pro', 1, 14900, 'EUR', 12, 12
    from statement`);
  await database.close();
  await page.reload();
  await page.getByRole('button', { name: /^2025-05/ }).click();
  await page.getByText('sp_live_000000000000').waitFor();
  await print();
  expect(await page.getByText('2025-05', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByText('sp_live_000000000000').isVisible()).toBe(true);
  expect(await isVisible('nav[aria-label="Main"]')).toBe(false);
  if (process.env['SCREENSHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SCREENSHOTS']}/print-account.png`, fullPage: true });
  expect(visit.faults()).toEqual([]);
});
