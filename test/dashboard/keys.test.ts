/** The life cycle of an API key in the browser: issue, copy the secret, use, rotate and revoke. */
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
const clientFor = (key: string): Client => createClient({ ...platform, key });

/** Returns the displayed secret and closes the dialog. Fails if the page still stores the secret. */
async function saveSecret(): Promise<string> {
  const { page } = visit;
  const secretText = dialog().getByText(/^sp_live_\w+\.\S+$/);
  await secretText.waitFor();
  const secret = (await secretText.textContent()) ?? '';
  await button('I have saved it').click();
  await secretText.waitFor({ state: 'detached' });
  const stored = await page.evaluate(
    'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state])',
  );
  expect(stored).not.toContain(secret.split('.')[1]);
  return secret;
}

/** The axe violations of all screens, checked at the end. */
const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

let first = '';
let second = '';

test('displays an empty state without API keys', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByText('No API keys yet').waitFor();
  expect(await page.title()).toBe('API keys · Talent Platform');
  await capture('keys-empty');
});

test('issues a key for a new account, and reports invalid networks by line', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Issue API key' }).first().click();
  await heading('Issue API key').waitFor();
  await page.getByText('New account').click();
  await page.getByLabel('Account name').fill('FC Browser');
  await page.getByLabel(/^Key name/).fill('import');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^Free/ }).click();
  expect(await page.getByLabel('athletes:write').isDisabled()).toBe(true);
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^plenty/ }).click();
  await page.getByLabel('athletes:write').check();
  await page.getByLabel('Run only registered GraphQL documents').check();
  await page.getByLabel('Allowed networks').fill('127.0.0.0/8\n\n203.0.113.7/24\n::1');
  await capture('key-issue');
  await button('Issue API key').click();
  await page.getByText(/^Line 3: "203.0.113.7\/24" is not a valid network/).waitFor();
  await capture('key-issue-rejected');
  await page.getByLabel('Allowed networks').fill('127.0.0.0/8\n::1');
  await button('Issue API key').click();
  await dialog().getByText('Copy the API key now').waitFor();
  await capture('key-secret');
  expect(await dialog().getByText(`${platform.restUrl}/api/v1/me`).count()).toBe(1);
});

test('asks for confirmation when leaving before the secret is saved', async () => {
  const { page } = visit;
  let question = '';
  page.once('dialog', (box) => {
    question = box.message();
    void box.dismiss();
  });
  await page.evaluate('history.back()');
  await eventually(() => Promise.resolve(expect(question).toContain('will not be shown again')));
  first = await saveSecret();
  await heading('import').waitFor();
});

test('displays the requests of a key in the chart, the quota and the list', async () => {
  const { page } = visit;
  await page.getByText('Registered documents only').waitFor();
  expect((await clientFor(first).get('/athletes')).status).toBe(200);
  expect((await clientFor(first).get('/athletes?limit=none')).status).toBe(400);
  await platform.flushUsage();
  await page.reload();
  const requests = page.getByRole('table', { name: 'Recent requests' }).getByRole('row');
  await requests.filter({ hasText: 'listAthletes' }).first().waitFor();
  await page.getByText('2 of 1,000,000,000 (<0.1%)').first().waitFor();
  await page.getByRole('radiogroup', { name: 'Requests by day: view' }).getByText('Table').click();
  const today = new Date().toISOString().slice(0, 10);
  const row = page.getByRole('group', { name: 'Requests by day table' }).getByRole('row').filter({ hasText: today });
  expect(await row.getByRole('cell').allTextContents()).toEqual([`${today} 00:00 UTC`, '1', '0', '1', '0']);
  await page.getByRole('radiogroup', { name: 'Requests by day: view' }).getByText('Chart').click();
  await capture('key');
});

test('rotation with a grace period keeps both keys valid, with links between them', async () => {
  const { page } = visit;
  await button('Rotate').click();
  await capture('key-rotate');
  await dialog().getByRole('button', { name: 'Rotate' }).click();
  second = await saveSecret();
  await page.getByText('Replaces', { exact: true }).waitFor();
  for (const key of [first, second]) expect((await clientFor(key).get('/athletes')).status).toBe(200);
  await page.getByRole('link', { name: first.split('.')[0] ?? '' }).click();
  await page.getByText('This key is valid until').waitFor();
  await button('Rotate').first().waitFor({ state: 'detached' });
  const successor = second.split('.')[0] ?? '';
  await page.getByText('Being replaced', { exact: true }).waitFor();
  await page.goto('/admin/keys?status=ACTIVE');
  const row = page.getByRole('row').filter({ hasText: 'Being replaced' });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/Valid until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  await capture('keys-rotating');
  await row.getByRole('link', { name: successor }).click();
  await page.getByText('Replaces', { exact: true }).waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByRole('link', { name: first.split('.')[0] ?? '' }).click();
  await page.getByText('This key is valid until').waitFor();
});

test('revoking a key rejects it within one second and records the reason', async () => {
  const { page } = visit;
  await button('Revoke').click();
  const revoke = dialog().getByRole('button', { name: 'Revoke' });
  await dialog()
    .getByText(/requests in the last 24 hours, last used/)
    .waitFor();
  expect(await revoke.isDisabled()).toBe(true);
  await capture('key-revoke');
  await dialog().getByLabel('Reason').fill('leaked in a log');
  await dialog().getByLabel('Type import to confirm').fill('import');
  await revoke.click();
  await page.getByText('This API key was revoked').waitFor();
  await eventually(async () => expect((await clientFor(first).get('/athletes')).status).toBe(401), 1_000);
  await page.getByRole('table', { name: 'History' }).getByText('Revoked: leaked in a log').waitFor();
  await capture('key-revoked');
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
