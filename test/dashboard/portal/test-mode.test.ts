/** Test data in the portal: the switch of webhooks and events, links that keep it, the live tail, and the filter of requests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { club, issueTestKey, type KeyedClient } from '../../stories/test-mode/test-key.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;
let tested: KeyedClient;
beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  tested = await issueTestKey(platform, 'Integrating');
  const accountId = (await tested.get('/me')).body.account.id;
  expect((await tested.post('/organizations', club('Tested FC'))).status).toBe(201);
  await platform.settled();
  visit = await visitAsMember(browser, platform, await createMember(platform, { role: 'DEVELOPER', accountId }));
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const switchTo = (name: 'Live data' | 'Test data') =>
  visit.page.getByRole('radiogroup', { name: 'Data' }).getByText(name, { exact: true }).click();
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('a developer on a plan without write access creates a webhook endpoint for test data', async () => {
  const { page } = visit;
  await page.goto('/portal/webhooks');
  await page.getByText('No webhook endpoints yet').waitFor();
  await page.getByText(/has no write access/).waitFor();
  await switchTo('Test data');
  await page.waitForURL(/mode=TEST/);
  await page.getByRole('button', { name: 'Create webhook endpoint' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook endpoint' });
  await dialog.getByLabel(/^URL/).fill('https://hooks.example.com/test-data');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.waitForURL(/\/portal\/webhooks\/.*mode=TEST/);
  await page.getByText('Test', { exact: true }).waitFor();
  await checked('test-webhook');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page
    .getByRole('link', { name: 'hooks.example.com/test-data' })
    .or(page.getByText('hooks.example.com/test-data'))
    .first()
    .waitFor();
  await checked('test-webhooks');
  await switchTo('Live data');
  await page.getByText('No webhook endpoints yet').waitFor();
  expect(page.url()).not.toContain('mode=');
});

test('the events of the test data are separate, and a link keeps the mode', async () => {
  const { page } = visit;
  await page.goto('/portal/events');
  await page.getByRole('radiogroup', { name: 'Data' }).waitFor();
  await page.getByRole('table', { name: 'Events' }).or(page.getByText('No events yet')).first().waitFor();
  expect(await page.getByRole('button', { name: /^Details of organization/ }).count()).toBe(0);
  await switchTo('Test data');
  await page.getByRole('button', { name: /^Details of organization\.created/ }).click();
  await page.getByRole('dialog', { name: 'Event' }).getByText('Tested FC').waitFor();
  await page.reload();
  await page.getByRole('dialog', { name: 'Event' }).getByText('Tested FC').waitFor();
  await checked('test-event');
  await page.keyboard.press('Escape');
});

test('the live tail adds new events, also those of the test data', async () => {
  const { page } = visit;
  await page.goto('/portal/events?view=LIVE&mode=TEST');
  await page.getByRole('button', { name: /^Details of organization\.created/ }).waitFor();
  const before = await page.getByRole('row').count();
  expect((await tested.post('/organizations', club('Second FC'))).status).toBe(201);
  await page.getByRole('row').nth(before).waitFor();
  await checked('events-live');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
});

test('the request log has a filter by the mode of the key', async () => {
  const { page } = visit;
  await platform.flushUsage();
  await page.goto('/portal/requests');
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Test', exact: true }).click();
  await page.waitForURL(/keyMode=TEST/);
  await page
    .getByRole('button', { name: /^Details of request/ })
    .first()
    .waitFor();
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'Live', exact: true }).click();
  await page.getByText('No matching requests').waitFor();
  expect(visit.faults()).toEqual([]);
});

test('other screens display live data', async () => {
  const { page } = visit;
  await page.goto('/portal/webhooks?mode=TEST');
  await page.getByRole('radiogroup', { name: 'Data' }).waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await heading('Overview').waitFor();
  expect(page.url()).not.toContain('mode=');
});
