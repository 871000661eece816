/** Links with values that the dashboard does not know: they are ignored with a notice. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Linked FC' });
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const notice = () => visit.page.getByRole('status').filter({ hasText: 'ignored' });

test.each([
  ['/admin/keys?status=FOO', 'Status: FOO'],
  ['/admin/accounts?status=FOO&sort=SIDEWAYS', 'Status: FOO, Sort: SIDEWAYS'],
  ['/admin/accounts?utm_source=mail', 'Utm source: mail'],
])('%s lists all rows with a notice', async (path, ignored) => {
  const { page } = visit;
  await page.goto(path);
  await page.getByRole('link', { name: 'Linked FC' }).waitFor();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  expect(await notice().innerText()).toContain(ignored);
  expect(await visit.barriers()).toEqual([]);
});

test('the notice disappears with the next filter, and known values have none', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts?status=FOO&q=linked');
  await notice().waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Active' }).click();
  await page.waitForURL(/status=ACTIVE/);
  await notice().waitFor({ state: 'detached' });
  await page.goto('/admin/accounts?q=7&status=ACTIVE');
  await page.getByText('No matching accounts').waitFor();
  await notice().first().waitFor({ state: 'detached' });
});

test('violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
