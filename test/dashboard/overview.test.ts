/** The overview shows what is asked of the platform and how it is, and what to do first. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'VIEWER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const hostile = '<img src=x onerror=alert(1)> & {{7*7}}';

/** The rows of a chart, shown as a table. */
const periodsOf = (label: string) => visit.page.getByRole('region', { name: `${label}, as a table` }).getByRole('row');

/** The rows of a table, as they are read. */
const rowsOf = (label: string) => visit.page.getByRole('table', { name: label }).getByRole('row');

test('of a platform without keys, it says what to do first', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByText('Nobody has a key yet').waitFor();
  await page.getByText('No key asked anything today').waitFor();
  await rowsOf('Health').nth(9).waitFor();
  expect(await page.title()).toBe('Overview · Talent Platform');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('overview-empty');
});

test('requests are shown by outcome, as a chart and as a table, with the keys and areas that ask most', async () => {
  const { page } = visit;
  await platform.plan('ten', { burstPerMinute: 100_000, perDay: 10, perMonth: 10_000 });
  const key = await platform.account({ account: hostile, plan: 'ten' });
  for (let asked = 0; asked < 13; asked += 1) await key.get('/athletes');
  await platform.metered();
  await page.reload();
  await page.getByRole('figure', { name: 'Requests by hour' }).getByText('Table', { exact: true }).click();
  const hour = new Date().toISOString().slice(0, 13).replace('T', ' ');
  await expect(
    periodsOf('Requests by hour')
      .filter({ hasText: `${hour}:00 UTC` })
      .innerText(),
  ).resolves.toMatch(/\b10\s+0\s+3\s+0$/);
  expect(await rowsOf('Keys that ask most today').nth(1).innerText()).toContain(hostile);
  expect(await rowsOf('Areas asked most today').nth(1).innerText()).toMatch(/Athletes\s+13/);
  await page.getByText('10 of 10 a day (100%)').waitFor();
  await page.getByRole('figure', { name: 'Requests by hour' }).getByText('Chart', { exact: true }).click();
  await page.locator('.recharts-bar-rectangle path').first().waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('overview');
});

test('thirty days are chosen in the URL', async () => {
  const { page } = visit;
  await page.getByText('30 days').click();
  await page.getByRole('figure', { name: 'Requests by day' }).getByText('Table', { exact: true }).click();
  expect(page.url()).toContain('span=DAY');
  expect(await periodsOf('Requests by day').count()).toBe(31);
});

test('it asks again by itself, in the background, and stops while the page is hidden', async () => {
  const { page } = visit;
  await page.clock.install();
  await page.goto('/admin');
  await rowsOf('Health').nth(9).waitFor();
  const [again] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/admin/graphql')),
    page.clock.runFor(16_000),
  ]);
  expect(again.headers()['x-background']).toBe('true');

  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    window.dispatchEvent(new Event('visibilitychange'))`);
  await page.waitForLoadState('networkidle');
  asked.splice(0);
  await page.clock.runFor(60_000);
  expect(asked.filter((url) => url.endsWith('/admin/graphql'))).toEqual([]);
});

test('what cannot be told is said, with a way on, and the rest is shown', async () => {
  const other = await visitAs(browser, platform, visit.who);
  await other.page.route('**/admin/graphql', async (route) => {
    const refused = { code: 'internal', detail: 'The numbers are away.', requestId: 'r-1' };
    if (route.request().postData()?.includes('OverviewUsage')) await route.fulfill({ status: 500, json: refused });
    else await route.fallback();
  });
  await other.page.goto('/admin');
  await other.page.getByText('The numbers are away.').first().waitFor();
  await other.page.getByRole('table', { name: 'Health' }).waitFor();
  expect(await other.barriers()).toEqual([]);
  await other.show('overview-refused');
  await other.close();
});

test('it asks no other host, runs no text of others, and its policy refuses it nothing', () => {
  expect(visit.faults()).toEqual([]);
});
