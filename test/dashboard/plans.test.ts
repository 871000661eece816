/** The plan screens: create, edit, and the differences between versions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

const hostile = '<script>alert(1)</script>';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');
const cells = (table: string, row: number) =>
  visit.page.getByRole('table', { name: table }).getByRole('row').nth(row).getByRole('cell').allTextContents();

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('creates a plan with a price in minor units', async () => {
  const { page } = visit;
  await page.goto('/admin/plans');
  await page.getByRole('link', { name: 'Pro', exact: true }).waitFor();
  await capture('plans');
  await button('Create plan').click();
  await dialog().getByLabel('Code').fill('club');
  await dialog().getByLabel(/^Name/).fill(hostile);
  await dialog().getByLabel('Requests per minute').fill('100');
  await dialog().getByLabel('Requests per day').fill('5000');
  await dialog().getByLabel('Requests per month').fill('100000');
  await dialog().getByLabel('Price per month').fill('19.99');
  await dialog().getByRole('combobox', { name: 'Request log' }).click();
  await page.getByRole('option', { name: '30 days' }).click();
  await capture('plan-create');
  await dialog().getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  const { plan } = await platform.administer(
    '{ plan(code: "club") { price { amountMinor currency } limits { perDay } writes requestLogDays } }',
  );
  expect(plan).toEqual({
    price: { amountMinor: 1999, currency: 'EUR' },
    limits: { perDay: 5000 },
    writes: false,
    requestLogDays: 30,
  });
});

test('editing a plan creates a new version, and its keys stay on the old one', async () => {
  const { page } = visit;
  await platform.account({ account: 'On Club', plan: 'club', scopes: [] });
  await page.reload();
  await button('Edit').click();
  await dialog().getByText('1 live API key stays on version 1 until you move them.').waitFor();
  await dialog().getByLabel('Requests per day').fill('6000');
  await dialog().getByLabel('Allow write scopes').check();
  await capture('plan-edit');
  await button('Create version 2').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('was 5,000').waitFor();
  const [newest, oldest] = [await cells('Versions, newest first', 1), await cells('Versions, newest first', 2)];
  expect(newest.slice(3, 8)).toEqual(['100', '6,000was 5,000', '100,000', 'EUR\u00a019.99', 'Yeswas No']);
  expect([newest.at(-1), oldest.at(-1)]).toEqual(['0', '1']);
  await capture('plan');
});

test('a concurrent change is reported and not overwritten', async () => {
  await button('Edit').click();
  await platform.administer('mutation { changePlan(code: "club", ifMatch: "*", input: { name: "Club" }) { version } }');
  await button('Create version 3').click();
  await dialog().getByText('This was changed by another administrator').waitFor();
  await button('Load latest version').click();
  await button('Create version 4').waitFor();
  expect(await dialog().getByLabel(/^Name/).inputValue()).toBe('Club');
  expect(await dialog().getByRole('combobox', { name: 'Request log' }).inputValue()).toBe('30 days');
  await button('Cancel').click();
});

test('rejects an existing code', async () => {
  const { page } = visit;
  await page.goto('/admin/plans');
  await button('Create plan').click();
  await dialog().getByLabel('Code').fill('pro');
  await dialog().getByLabel(/^Name/).fill('Second');
  for (const label of ['Requests per minute', 'Requests per day', 'Requests per month', 'Price per month'])
    await dialog().getByLabel(label).fill('1000');
  await dialog().getByRole('button', { name: 'Create plan' }).click();
  await page.getByText('A plan with this code already exists. Change it instead.').waitFor();
});

test('a viewer has no actions, and an unknown plan is reported', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/plans/club');
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page.getByRole('button', { name: 'Edit', exact: true }).first().waitFor({ state: 'detached' });
  await viewer.page.goto('/admin/plans/nothing');
  await viewer.page.getByText('Plan not found').waitFor();
  await viewer.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
