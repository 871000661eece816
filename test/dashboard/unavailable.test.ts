/** Screens display an error while the platform is unavailable, and retry on request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Patient FC' });
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('a list displays the error of a failed query and loads after a retry', async () => {
  const { page } = visit;
  const body = '{"code":"upstream_unavailable","detail":"Try again in a moment."}';
  await page.route('**/admin/graphql', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }));
  await page.goto('/admin/keys');
  const retry = page.getByRole('button', { name: /again/i }).first();
  await retry.waitFor({ timeout: 15_000 });
  await page.getByText('Try again in a moment.').first().waitFor();
  expect(await visit.barriers()).toEqual([]);
  await page.unroute('**/admin/graphql');
  await retry.click();
  await page.getByRole('link', { name: 'Patient FC' }).first().waitFor();
});
