/** The screens of plans: a plan is created and changed, and each version shows what it changed. */
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

async function look(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('a plan is created, with its price in minor units', async () => {
  const { page } = visit;
  await page.goto('/admin/plans');
  await page.getByRole('link', { name: 'Pro', exact: true }).waitFor();
  await look('plans');
  await button('Create plan').click();
  await dialog().getByLabel('Code').fill('club');
  await dialog().getByLabel(/^Name/).fill(hostile);
  await dialog().getByLabel('Requests a minute').fill('100');
  await dialog().getByLabel('Requests a day').fill('5000');
  await dialog().getByLabel('Requests a month').fill('100000');
  await dialog().getByLabel('Price a month').fill('19.99');
  await look('plan-create');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  const { plan } = await platform.administer(
    '{ plan(code: "club") { price { amountMinor currency } limits { perDay } writes } }',
  );
  expect(plan).toEqual({ price: { amountMinor: 1999, currency: 'EUR' }, limits: { perDay: 5000 }, writes: false });
});

test('changed, it has a new version beside the old one, which its keys keep', async () => {
  const { page } = visit;
  await platform.account({ account: 'On Club', plan: 'club', scopes: [] });
  await page.reload();
  await button('Change').click();
  await dialog().getByText('Keys of version 1 keep it until they are moved (1 live)').waitFor();
  await dialog().getByLabel('Requests a day').fill('6000');
  await dialog().getByLabel('Keys may hold scopes that write').check();
  await look('plan-change');
  await button('Make version 2').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('was 5,000').waitFor();
  const [newest, oldest] = [await cells('Versions, newest first', 1), await cells('Versions, newest first', 2)];
  expect(newest.slice(3, 8)).toEqual(['100', '6,000was 5,000', '100,000', 'EUR\u00a019.99', 'Yeswas No']);
  expect([newest.at(-1), oldest.at(-1)]).toEqual(['0', '1']);
  await look('plan');
});

test('what somebody else changed meanwhile is told, and not overwritten', async () => {
  await button('Change').click();
  await platform.administer('mutation { changePlan(code: "club", ifMatch: "*", input: { name: "Club" }) { version } }');
  await button('Make version 3').click();
  await dialog().getByText('Somebody changed this meanwhile').waitFor();
  await button('Load what it is now').click();
  await button('Make version 4').waitFor();
  expect(await dialog().getByLabel(/^Name/).inputValue()).toBe('Club');
  await button('Cancel').click();
});

test('a code that is taken is refused in words', async () => {
  const { page } = visit;
  await page.goto('/admin/plans');
  await button('Create plan').click();
  await dialog().getByLabel('Code').fill('pro');
  await dialog().getByLabel(/^Name/).fill('Second');
  for (const label of ['Requests a minute', 'Requests a day', 'Requests a month', 'Price a month'])
    await dialog().getByLabel(label).fill('1000');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await page.getByText('There is a plan with this code. Change it instead.').waitFor();
});

test('who only looks is offered nothing, and a plan that is none is told', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/plans/club');
  await viewer.page.getByText('Your role looks only.').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
  await viewer.page.goto('/admin/plans/nothing');
  await viewer.page.getByText('There is no such plan').waitFor();
  await viewer.close();
});

test('none of these screens has a barrier in light or dark, and their policy refuses them nothing', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
