/** The overview screen: requests, top API keys and areas, health and first steps. */
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

/** The rows of a chart in its table view. */
const periodsOf = (label: string) => visit.page.getByRole('group', { name: `${label} table` }).getByRole('row');

const rowsOf = (label: string) => visit.page.getByRole('table', { name: label }).getByRole('row');

test('displays the first steps for a platform without API keys', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByText('No API keys yet').waitFor();
  await page.getByText('No requests with an API key today').waitFor();
  await rowsOf('Health').nth(9).waitFor();
  expect(await page.title()).toBe('Overview · Talent Platform');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('overview-empty');
});

test('displays requests by status as a chart and a table, with the top API keys and areas', async () => {
  const { page } = visit;
  await platform.plan('ten', { burstPerMinute: 100_000, perDay: 10, perMonth: 10_000 });
  const key = await platform.account({ account: hostile, plan: 'ten' });
  for (let sent = 0; sent < 13; sent += 1) await key.get('/athletes');
  await platform.flushUsage();
  await page.reload();
  await page.getByRole('figure', { name: 'Requests by hour' }).getByText('Table', { exact: true }).click();
  const hour = new Date().toISOString().slice(0, 13).replace('T', ' ');
  await expect(
    periodsOf('Requests by hour')
      .filter({ hasText: `${hour}:00 UTC` })
      .innerText(),
  ).resolves.toMatch(/\b10\s+0\s+3\s+0$/);
  expect(await rowsOf('Top API keys today').nth(1).innerText()).toContain(hostile);
  expect(await rowsOf('Top areas today').nth(1).innerText()).toMatch(/Athletes\s+13/);
  await page.getByText('10 of 10 per day (100%)').waitFor();
  await page.getByRole('figure', { name: 'Requests by hour' }).getByText('Chart', { exact: true }).click();
  await page.locator('.recharts-bar-rectangle path').first().waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('overview');
});

test('stores the selected time range in the URL', async () => {
  const { page } = visit;
  await page.getByRole('region', { name: 'Requests', exact: true }).getByText('30 days').click();
  await page.getByRole('figure', { name: 'Requests by day' }).getByText('Table', { exact: true }).click();
  expect(page.url()).toContain('span=DAY');
  expect(await periodsOf('Requests by day').count()).toBe(31);
});

test('refetches in the background, and stops while the page is hidden', async () => {
  const { page } = visit;
  await page.clock.install();
  await page.goto('/admin');
  await rowsOf('Health').nth(9).waitFor();
  const [refetch] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/admin/graphql')),
    page.clock.runFor(16_000),
  ]);
  expect(refetch.headers()['x-background']).toBe('true');

  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    window.dispatchEvent(new Event('visibilitychange'))`);
  await page.waitForLoadState('networkidle');
  urls.splice(0);
  await page.clock.runFor(60_000);
  expect(urls.filter((url) => url.endsWith('/admin/graphql'))).toEqual([]);
});

test('displays the error of one section, and the data of the others', async () => {
  const other = await visitAs(browser, platform, visit.signedIn);
  await other.page.route('**/admin/graphql', async (route) => {
    const problem = { code: 'internal', detail: 'The usage data is unavailable.', requestId: 'r-1' };
    if (route.request().postData()?.includes('OverviewUsage')) await route.fulfill({ status: 500, json: problem });
    else await route.fallback();
  });
  await other.page.goto('/admin');
  await other.page.getByText('The usage data is unavailable.').first().waitFor();
  await other.page.getByRole('table', { name: 'Health' }).waitFor();
  expect(await other.barriers()).toEqual([]);
  await other.show('overview-error');
  await other.close();
});

test('sends no requests to other hosts, runs no injected scripts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
