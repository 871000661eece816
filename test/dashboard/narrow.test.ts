/** Lists on a phone: the filters are behind a button with the number of active filters. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Pocket FC' });
  visit = await visitAs(browser, platform, 'OWNER', { width: 390, height: 844 });
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test.each(['/admin/keys', '/admin/audit', '/admin/events', '/admin/webhooks', '/admin/portal-users', '/admin/partner-requests'])(
  'the list at %s starts in the upper half of a phone',
  async (path) => {
    const { page } = visit;
    await page.goto(path);
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
    await page.getByText('Loading').waitFor({ state: 'detached' });
    const result = page
      .locator(
        'table, :text("No webhook endpoints yet"), :text("No portal users yet"), :text("No open requests"), :text("No matching")',
      )
      .first();
    await result.waitFor();
    expect((await result.boundingBox())?.y).toBeLessThan(480);
  },
);

test('the button names the number of active filters and opens them', async () => {
  const { page } = visit;
  await page.goto('/admin/keys?status=ACTIVE&expires=30&q=pocket&sort=NAME_ASC');
  const toggle = page.getByRole('button', { name: 'Filters, 2 active' });
  await toggle.waitFor();
  expect(await page.getByRole('searchbox').isVisible()).toBe(true);
  const status = page.getByRole('combobox', { name: 'Status' });
  expect(await status.isVisible()).toBe(false);
  expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('keys-filters-collapsed');
  await toggle.click();
  await status.waitFor();
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  expect(await visit.barriers()).toEqual([]);
});

test('a wide screen has no such button', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto('/admin/keys');
  await page.getByRole('combobox', { name: 'Status' }).waitFor();
  expect(await page.getByRole('button', { name: /^Filters/ }).isVisible()).toBe(false);
});
