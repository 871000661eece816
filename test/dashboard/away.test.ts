/** While the platform does not answer, screens say so, and ask again when they are told to. */
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

test('a list that is not answered says why, and is there when it is asked for again', async () => {
  const { page } = visit;
  const body = '{"code":"upstream_unavailable","detail":"Try again in a moment."}';
  await page.route('**/admin/graphql', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }));
  await page.goto('/admin/keys');
  const again = page.getByRole('button', { name: /again/i }).first();
  await again.waitFor({ timeout: 15_000 });
  await page.getByText('Try again in a moment.').first().waitFor();
  expect(await visit.barriers()).toEqual([]);
  await page.unroute('**/admin/graphql');
  await again.click();
  await page.getByRole('link', { name: 'Patient FC' }).first().waitFor();
});
