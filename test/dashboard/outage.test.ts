/** The dashboard while the platform does not respond: one banner, the age of the data, unknown health, and screens that load later. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Patient FC' });
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

/** A page on the overview with its data, whose requests fail from now on. */
async function loseConnection(): Promise<void> {
  visit = await visitAs(browser, platform, 'OWNER');
  const { page } = visit;
  await page.clock.install();
  await page.goto('/admin');
  await health().getByRole('row').nth(9).waitFor();
  await health().getByText('Up', { exact: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
}
afterEach(() => visit.close());

const health = () => visit.page.getByRole('table', { name: 'Health' });
const banner = () => visit.page.getByRole('alert').filter({ hasText: 'The platform does not respond' });

test('one banner reports the outage with the age of the data, and the health is unknown', async () => {
  await loseConnection();
  const { page } = visit;
  await page.clock.runFor(130_000);
  await banner().waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await banner().innerText()).toMatch(/The data on this page is from .* UTC, [23] minutes ago\./);
  await health().getByText('Unknown', { exact: true }).first().waitFor();
  expect(
    await health()
      .getByText(/^(Up|Degraded|Down)$/)
      .count(),
  ).toBe(0);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('outage-overview');

  await page.getByRole('button', { name: 'Try again' }).click();
  await page.context().setOffline(false);
  await banner().waitFor({ state: 'detached' });
  await health().getByText('Up', { exact: true }).first().waitFor();
});

test('a screen that was not loaded before keeps the navigation, and loads after a retry', async () => {
  await loseConnection();
  const { page } = visit;
  await page.getByRole('link', { name: 'Moderation' }).click();
  await page.getByRole('heading', { level: 1, name: 'This screen did not load' }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('outage-screen');
  await page.getByRole('button', { name: 'Try again' }).click();
  // the page checks the connection every 5 seconds
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor();
});

test('a screen without data says so below the banner, and loads when the platform responds again', async () => {
  visit = await visitAs(browser, platform, 'OWNER');
  const { page } = visit;
  await page.goto('/admin/plans');
  await page.getByRole('cell', { name: 'starter' }).first().waitFor();
  await page.route('**/admin/{graphql,session}', (route) => route.abort());
  await page.getByRole('link', { name: 'Accounts' }).click();
  await banner().waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.getByText('Not loaded yet.').waitFor();
  await page.unroute('**/admin/{graphql,session}');
  // without a click: the banner checks the connection
  await page.getByRole('link', { name: 'Patient FC' }).waitFor();
  await banner().waitFor({ state: 'detached' });
});
