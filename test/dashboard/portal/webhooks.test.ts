/** Webhooks in the portal: create, test, deliveries, edit, rotate, disable, delete; and what a role or plan does not allow. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { createClub } from '../../stories/organizations/clubs.ts';
import { openReceiver, verify, type Receiver } from '../../stories/webhooks/receiver.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAccountWithKey, visitNarrow, type AccountWithKey } from './account-with-key.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let account: AccountWithKey;
let visit: MemberVisit;
let receiver: Receiver;

beforeAll(async () => {
  [platform, browser, receiver] = await Promise.all([openTestPlatform(), openBrowser(), openReceiver()]);
  account = await createAccountWithKey(platform, 'Northern Scouting Group');
  const developer = await createMember(platform, { role: 'DEVELOPER', accountId: account.accountId });
  visit = await visitAsMember(browser, platform, developer);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
  await receiver.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = (name: string) => visit.page.getByRole('dialog', { name });
const rows = (name: string) => visit.page.getByRole('table', { name, exact: true }).getByRole('row');
const endpointId = (): string => /\/webhooks\/([\da-f-]{36})/.exec(visit.page.url())?.[1] ?? '';

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

/** The displayed secret; closes its dialog. */
async function takeSecret(name: string): Promise<string> {
  const secret = await dialog(name)
    .getByText(/^whsec_\S+$/)
    .innerText();
  await dialog(name).getByRole('button', { name: 'Copy secret' }).waitFor();
  await checked('webhook-secret');
  await button('I have saved it').click();
  await dialog(name).waitFor({ state: 'detached' });
  return secret;
}

test('a developer creates an endpoint, whose secret is displayed once and verifies a test event', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByText('No webhook endpoints yet').waitFor();
  await checked('webhooks-empty');
  await button('Create webhook endpoint').first().click();
  const form = dialog('Create webhook endpoint');
  await form.getByLabel('URL').fill('ftp://example.com');
  await form.getByLabel('Description').fill('Clubs');
  await form.getByRole('combobox', { name: 'Event types' }).fill('organization.cr');
  await page.getByRole('option', { name: 'organization.created' }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('.mantine-InputWrapper-error').first().waitFor();
  await checked('webhook-create');
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await takeSecret('Webhook endpoint created');
  await page.getByRole('heading', { level: 1, name: 'Clubs' }).waitFor();
  expect(await page.content()).not.toContain(secret.slice(11));
  await page.getByText('No deliveries yet').waitFor();
  await button('Send test event').click();
  await rows('Deliveries').filter({ hasText: 'webhook.test' }).getByText('Succeeded').waitFor();
  const [request] = receiver.requests;
  if (!request) throw new Error('no request');
  verify(secret, request);
});

test('a developer reads the attempts of a failed delivery, and retries it', async () => {
  const { page } = visit;
  receiver.respond((_, response) => void response.writeHead(500).end('<img src=x onerror=alert(1)>'));
  await createClub(account.owner, { name: 'FC Example' });
  await platform.settled();
  await page.reload();
  await rows('Deliveries').filter({ hasText: 'Pending' }).getByRole('link', { name: 'organization.created' }).click();
  await page.getByRole('heading', { level: 1, name: 'Delivery of organization.created' }).waitFor();
  await page.getByText('The endpoint responded with the status 500.').waitFor();
  expect(await page.getByRole('link', { name: /^[0-9a-f-]{36}$/ }).getAttribute('href')).toContain('/portal/events?event=');
  await checked('webhook-delivery');
  receiver.respond();
  await button('Retry').click();
  // the second attempt unless an automatic one was earlier
  await page.getByRole('button', { name: /^Attempt \d+.*Succeeded/ }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Clubs' }).waitFor();
  await checked('webhook');
});

test('an edit of an endpoint that changed in the meantime displays the differences', async () => {
  const { page } = visit;
  await button('Edit').click();
  const form = dialog('Edit webhook endpoint');
  await form.getByLabel('Description').fill('All clubs');
  const path = `/webhooks/${endpointId()}`;
  expect((await account.owner.patch(path, { description: 'By the key' }, { 'if-match': '*' })).status).toBe(200);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This was changed in the meantime').waitFor();
  await form.getByRole('table', { name: 'Differences' }).getByText('By the key').waitFor();
  await checked('webhook-conflict');
  await form.getByRole('button', { name: 'Load latest version' }).click();
  await form.getByText('This was changed in the meantime').waitFor({ state: 'detached' });
  await form.getByLabel('Description').fill('All clubs');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'All clubs' }).waitFor();
});

test('a developer rotates the secret, disables, enables and deletes the endpoint', async () => {
  const { page } = visit;
  await button('Rotate secret').click();
  await dialog('Rotate the secret?').getByRole('button', { name: 'Rotate' }).click();
  await takeSecret('New secret created');
  await rows('Secrets').nth(2).waitFor();
  await button('Replay events').click();
  await dialog('Replay events').getByRole('button', { name: 'Replay' }).click();
  await rows('Deliveries').filter({ hasText: 'Replay' }).getByText('Succeeded').first().waitFor();
  await button('Disable').click();
  await dialog('Disable this webhook endpoint?').getByRole('button', { name: 'Disable' }).click();
  await page.getByText('This webhook endpoint is disabled').waitFor();
  await page
    .getByRole('button', { name: /^(Retry|Send test event)/ })
    .first()
    .waitFor({ state: 'detached' });
  await button('Enable').click();
  await button('Send test event').waitFor();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await rows('Webhook endpoints').filter({ hasText: receiver.url }).getByText('Enabled').waitFor();
  await checked('webhooks');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Disabled' }).click();
  await page.getByText('No matching webhook endpoints').waitFor();
  expect(page.url()).toContain('status=DISABLED');
  await button('Clear all filters').click();
  await page.getByRole('link', { name: receiver.url }).click();
  await visitAsViewer(endpointId());
  await button('Delete').click();
  await dialog('Delete this webhook endpoint?').getByLabel(/^Type/).fill('All clubs');
  await dialog('Delete this webhook endpoint?').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhook endpoints yet').waitFor();
});

/** A viewer reads the endpoint and its deliveries, and has no action. */
async function visitAsViewer(id: string): Promise<void> {
  const reading = await visitNarrow(browser, platform, account.accountId, 'VIEWER');
  const { page } = reading;
  await page.goto('/portal/webhooks');
  await page.getByText('Your role has read-only access').waitFor();
  await page.getByRole('link', { name: receiver.url }).waitFor();
  await page.getByRole('button', { name: 'Create webhook endpoint' }).first().waitFor({ state: 'detached' });
  await page.goto(`/portal/webhooks/${id}`);
  await page.getByText('webhook.test').first().waitFor();
  for (const name of [/^Retry/, 'Delete', 'Disable', 'Rotate secret', 'Replay events', 'Send test event', 'Edit'])
    await page.getByRole('button', { name }).first().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
}

test('an account whose plan has no write access reads why, and an account without a key creates one first', async () => {
  const free = await createMember(platform);
  const first = await visitAsMember(browser, platform, free, { width: 390, height: 844 });
  await first.page.goto('/portal/webhooks');
  await first.page.getByText('The plan Free has no write access.').waitFor();
  expect(await first.page.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe('/portal/plan');
  expect(await first.barriers()).toEqual([]);
  const { createPlanRequest } = await free.run('mutation { createPlanRequest(plan: "pro") { id } }');
  await platform.administer('mutation ($id: ID!) { grantPlanRequest(id: $id) { id } }', { id: createPlanRequest.id });
  await first.page.reload();
  await first.page.getByText('Create a key first.').waitFor();
  expect(await first.page.getByRole('button', { name: 'Create webhook endpoint' }).isDisabled()).toBe(true);
  expect(await first.barriers()).toEqual([]);
  expect(first.faults()).toEqual([]);
});
