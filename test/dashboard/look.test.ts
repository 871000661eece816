/** The icon, copy buttons next to IDs, and empty lists with their next step. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('an empty list starts with its next step', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByRole('table', { name: 'API keys' }).waitFor({ state: 'detached' });
  await page.locator('main').getByRole('link', { name: 'Issue API key' }).nth(1).waitFor();
  expect(await visit.barriers()).toEqual([]);
});

test('filters without matches can be cleared below them', async () => {
  const { page } = visit;
  await platform.account({ account: 'Visible FC' });
  await page.goto('/admin/accounts?q=nothing&sort=NAME_ASC');
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await page.getByRole('link', { name: 'Visible FC' }).waitFor();
  expect(new URL(page.url()).search).toBe('?sort=NAME_ASC');
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
});

test('a button copies the ID of an account', async () => {
  const { page } = visit;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'Visible FC' }).click();
  await page.getByRole('button', { name: 'Copy account ID' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url().split('/').at(-1));
  expect(await visit.barriers()).toEqual([]);
  await visit.show('account-copy');
});

test('the pages have an icon', async () => {
  for (const path of ['/admin', '/admin/explorer']) {
    const html = await (await fetch(`${platform.graphqlUrl}${path}`)).text();
    const [, icon = ''] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const file = await fetch(`${platform.graphqlUrl}${icon}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    await file.arrayBuffer();
  }
  expect(visit.faults()).toEqual([]);
});
