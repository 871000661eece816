/** Focus: after navigation, in dialogs, in search fields, and never on timestamps. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await platform.account({ account: 'Keyboard FC' });
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
/** Waits until an element has the focus. */
const hasFocus = (selector: string) => visit.page.locator(`${selector}:focus`).waitFor();

test('navigation moves the focus to the heading, sets the window title, and announces a name that loads later', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await heading('Overview').waitFor();
  await page.locator('h1:focus').first().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Accounts' }).click();
  await heading('Accounts').waitFor();
  await hasFocus('h1');
  expect(await page.title()).toBe('Accounts · Talent Platform');
  await page.getByRole('link', { name: 'Keyboard FC' }).click();
  await heading('Keyboard FC').waitFor();
  await hasFocus('h1');
  await page.getByRole('status').getByText('Keyboard FC', { exact: true }).waitFor();
  expect(await visit.barriers()).toEqual([]);
});

test('filters and pages of a list do not move the focus', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await page.getByRole('searchbox').fill('keyboard');
  await page.waitForURL(/q=keyboard/);
  await hasFocus('[type=search]');
});

test('a slash moves the focus to the search field, except while typing', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await heading('Accounts').waitFor();
  await page.keyboard.press('/');
  await hasFocus('[type=search]');
  await page.keyboard.type('a/b');
  expect(await page.getByRole('searchbox').inputValue()).toBe('a/b');
});

test('timestamps are no tab stops, and display the local time under the pointer', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await page.getByRole('link', { name: 'Keyboard FC' }).waitFor();
  expect(await page.locator('time').count()).toBeGreaterThan(0);
  await page.locator('time[tabindex]').first().waitFor({ state: 'detached' });
  await page.locator('time').first().hover();
  await page.getByText('(local time)').waitFor();
});

test.each([
  ['/admin/accounts', 'Create account', 'Name'],
  ['/admin/plans', 'Create plan', 'Code'],
  ['/admin/administrators', 'Invite administrator', 'Name'],
  ['/admin/webhooks', 'Create webhook endpoint', 'Account'],
])('a dialog of %s starts in its first field', async (path, open, label) => {
  const { page } = visit;
  await page.goto(path);
  await button(open).click();
  const field = page.getByRole('dialog').locator('input:focus');
  await field.waitFor();
  const id = await field.getAttribute('id');
  expect(await page.locator(`label[for="${id}"]`).innerText()).toContain(label);
  await page.keyboard.press('Escape');
});

test.each([
  ['Edit', 'Key name'],
  ['Change plan', 'Plan'],
  ['Rotate', 'Grace period of the old key'],
  ['Disable', 'Type'],
])('the dialog %s of a key starts in its first field', async (open, label) => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByRole('table', { name: 'API keys' }).getByRole('link').first().click();
  await button(open).click();
  const field = page.getByRole('dialog').locator('input:focus');
  await field.waitFor();
  const id = await field.getAttribute('id');
  expect(await page.locator(`label[for="${id}"]`).innerText()).toContain(label);
  await page.keyboard.press('Escape');
});

test('the sign-in starts in the email field', async () => {
  const visitor = await browser.visit(platform.graphqlUrl);
  await visitor.page.goto('/admin/sign-in');
  await visitor.page.locator('[type=email]:focus').waitFor();
  await visitor.close();
});

test('violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
