/** The life of a key before a browser: issued, shown once, used, rotated and revoked; each step is seen on the screen. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createClient, type Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');
const clientOf = (key: string): Client => createClient({ ...platform, key });

/** The secret that is shown, after which it is gone from the page. */
async function keepSecret(): Promise<string> {
  const { page } = visit;
  const shown = dialog().getByText(/^sp_live_\w+\.\S+$/);
  await shown.waitFor();
  const secret = (await shown.textContent()) ?? '';
  await button('I have kept it').click();
  await shown.waitFor({ state: 'detached' });
  const kept = await page.evaluate('JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state])');
  expect(kept).not.toContain(secret.split('.')[1]);
  return secret;
}

/** What axe found where the test looked, which ends no story. */
const barriers: string[] = [];

async function look(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

let first = '';
let second = '';

test('without keys, the list says so', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByText('No keys yet').waitFor();
  expect(await page.title()).toBe('Keys · Talent Platform');
  await look('keys-empty');
});

test('a key is issued to a new account, and its networks are corrected line by line', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Issue key' }).click();
  await heading('Issue key').waitFor();
  await page.getByText('A new account').click();
  await page.getByLabel('Name of the account').fill('FC Browser');
  await page.getByLabel(/^Name(?! of)/).fill('import');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^Free/ }).click();
  expect(await page.getByLabel('athletes:write').isDisabled()).toBe(true);
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^plenty/ }).click();
  await page.getByLabel('athletes:write').check();
  await page.getByLabel('Networks').fill('127.0.0.0/8\n\n203.0.113.7/24\n::1');
  await look('key-issue');
  await button('Issue key').click();
  await page.getByText(/^Line 3: "203.0.113.7\/24" is not a network/).waitFor();
  await look('key-issue-refused');
  await page.getByLabel('Networks').fill('127.0.0.0/8\n::1');
  await button('Issue key').click();
  await dialog().getByText('It is shown this once').waitFor();
  await look('key-secret');
  expect(await dialog().getByText(`${platform.restUrl}/api/v1/me`).count()).toBe(1);
});

test('who leaves before the secret is kept is asked', async () => {
  const { page } = visit;
  let asked = '';
  page.once('dialog', (box) => {
    asked = box.message();
    void box.dismiss();
  });
  await page.evaluate('history.back()');
  await eventually(() => Promise.resolve(expect(asked).toContain('shown this once')));
  first = await keepSecret();
  await heading('import').waitFor();
});

test('a call with it is seen on its screen: in the chart, the bars and the list', async () => {
  const { page } = visit;
  expect((await clientOf(first).get('/athletes')).status).toBe(200);
  expect((await clientOf(first).get('/athletes?limit=none')).status).toBe(400);
  await platform.metered();
  await page.reload();
  const requests = page.getByRole('table', { name: 'The last requests' }).getByRole('row');
  await requests.filter({ hasText: 'listAthletes' }).first().waitFor();
  await page.getByText('2 of 1,000,000,000').first().waitFor();
  await page.getByText('Table', { exact: true }).click();
  const today = new Date().toISOString().slice(0, 10);
  const row = page.getByRole('region', { name: 'Requests by day, as a table' }).getByRole('row').filter({ hasText: today });
  expect(await row.getByRole('cell').allTextContents()).toEqual([`${today} 00:00 UTC`, '1', '0', '1', '0']);
  await page.getByText('Chart', { exact: true }).click();
  await look('key');
});

test('rotated with grace, both keys work, and the screen leads from one to the other', async () => {
  const { page } = visit;
  await button('Rotate').click();
  await look('key-rotate');
  await dialog().getByRole('button', { name: 'Rotate' }).click();
  second = await keepSecret();
  await page.getByText('Replaces', { exact: true }).waitFor();
  for (const key of [first, second]) expect((await clientOf(key).get('/athletes')).status).toBe(200);
  await page.getByRole('link', { name: first.split('.')[0] ?? '' }).click();
  await page.getByText('This key is accepted until').waitFor();
  expect(await button('Rotate').count()).toBe(0);
});

test('revoked by its name, it is refused within a second, and the history says why', async () => {
  const { page } = visit;
  await button('Revoke').click();
  const revoke = dialog().getByRole('button', { name: 'Revoke' });
  await dialog()
    .getByText(/calls in the last 24 hours; last used/)
    .waitFor();
  expect(await revoke.isDisabled()).toBe(true);
  await look('key-revoke');
  await dialog().getByLabel('Why').fill('leaked in a log');
  await dialog().getByLabel('Type import to go on').fill('import');
  await revoke.click();
  await page.getByText('Revoked: refused for good').waitFor();
  await eventually(async () => expect((await clientOf(first).get('/athletes')).status).toBe(401), 1_000);
  await page.getByRole('region', { name: 'History, as a table' }).getByText('revoke: leaked in a log').waitFor();
  await look('key-revoked');
});

test('none of these screens has a barrier in light or dark, and their policy refuses them nothing', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
