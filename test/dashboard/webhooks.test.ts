/** The webhook screens: list, details, deliveries with their attempts, and the actions of each role. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deliveriesOf, passTime } from '../stories/webhooks/fixture.ts';
import { openReceiver, verify, type Receiver } from '../stories/webhooks/receiver.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;
let healthy: Receiver;
let failing: Receiver;
let id: string;
let failingId: string;

const hostile = '<img src=x onerror=alert(1)>';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  [healthy, failing] = await Promise.all([openReceiver(), openReceiver()]);
  failing.respond((_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(hostile));
  owner = await platform.account({ account: 'Northern Scouting Group' });
  id = (await createEndpoint(owner, healthy, { description: 'Clubs', types: ['organization.created'] })).id;
  failingId = (await createEndpoint(owner, failing, { description: hostile, areas: ['ORGANIZATIONS'] })).id;
  await createClub(owner, { name: 'FC Example' });
  await platform.settled();
  await passTime(platform, failingId);
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
  await Promise.all([healthy.close(), failing.close()]);
});

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = (name: string) => visit.page.getByRole('dialog', { name });
const rows = (name: string) => visit.page.getByRole('table', { name, exact: true }).getByRole('row');

/** The axe violations of all screens, checked at the end. */
const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

/** The displayed secret; closes its dialog. */
async function takeSecret(name: string): Promise<string> {
  const text = dialog(name).getByText(/^whsec_\S+$/);
  await text.waitFor();
  const secret = (await text.textContent()) ?? '';
  await button('I have saved it').click();
  await dialog(name).waitFor({ state: 'detached' });
  return secret;
}

test('the overview lists the endpoints that fail, and links to them', async () => {
  const { page } = visit;
  await page.goto('/admin');
  const row = rows('Failing webhook endpoints').filter({ hasText: failing.url });
  await row.waitFor();
  expect(await row.innerText()).toContain('Northern Scouting Group');
  await capture('overview-webhooks');
  await page.getByRole('region', { name: 'Webhooks' }).getByRole('link', { name: '1', exact: true }).click();
  await page.waitForURL('**/admin/webhooks?status=ENABLED&failing=YES');
  await rows('Webhook endpoints').nth(1).waitFor();
  expect(await rows('Webhook endpoints').count()).toBe(2);
});

test('lists the endpoints of all accounts, with filters in the URL', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await heading('Webhooks').waitFor();
  await rows('Webhook endpoints').nth(2).waitFor();
  expect(await rows('Webhook endpoints').nth(1).innerText()).toMatch(/Northern Scouting Group\s+Failing\s+All/);
  await capture('webhooks');
  await page.getByRole('combobox', { name: 'Last attempt' }).click();
  await page.getByRole('option', { name: 'Succeeded, or none' }).click();
  await page.waitForURL('**/admin/webhooks?failing=NO');
  await rows('Webhook endpoints').nth(2).waitFor({ state: 'detached' });
  await rows('Webhook endpoints').filter({ hasText: healthy.url }).getByRole('link', { name: healthy.url }).click();
  await page.waitForURL(`**/admin/webhooks/${id}`);
});

test('displays an endpoint with its filters, secrets and deliveries', async () => {
  const { page } = visit;
  await page.goto(`/admin/webhooks/${failingId}`);
  await heading(hostile).waitFor();
  await page.getByText('This webhook endpoint is failing').waitFor();
  await rows('Deliveries').nth(1).waitFor();
  expect(await rows('Deliveries').nth(1).innerText()).toMatch(/organization\.created\s+Pending\s+2/);
  expect(await rows('Secrets').nth(1).innerText()).toMatch(/^whsec_\S{4}…/);
  await capture('webhook');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Succeeded' }).click();
  await page.getByText('No matching deliveries').waitFor();
  expect(page.url()).toContain('status=SUCCEEDED');
});

test('displays the attempts of a delivery, and retries it', async () => {
  const { page } = visit;
  await page.goto(`/admin/webhooks/${failingId}`);
  await rows('Deliveries').getByRole('link', { name: 'organization.created' }).click();
  await heading('Delivery of organization.created').waitFor();
  await page.getByText('The endpoint responded with the status 500.').waitFor();
  expect(await page.getByRole('group', { name: 'Request body, first 1,024 bytes, text' }).innerText()).toMatch(
    /^\{\n {2}"id": "[^"]+",\n {2}"type": "organization\.created",/,
  );
  expect(await page.getByRole('group', { name: 'Response body, first 1,024 bytes, text' }).innerText()).toBe(hostile);
  await page.getByRole('button', { name: /^Attempt 1/ }).waitFor();
  await capture('webhook-delivery');
  failing.respond();
  await button('Retry').click();
  await page.getByText('Retry requested').waitFor();
  await page.getByRole('button', { name: /^Attempt \d+.*Succeeded/ }).waitFor();
  await page.getByRole('link', { name: /^[0-9a-f-]{36}$/ }).click();
  await page.waitForURL('**/admin/events?event=*');
  await page.getByText('"name": "FC Example"').waitFor();
});

test('sends a test event, and replays the events of a period', async () => {
  const { page } = visit;
  healthy.requests.length = 0;
  await page.goto(`/admin/webhooks/${id}`);
  await button('Send test event').click();
  await rows('Deliveries').filter({ hasText: 'webhook.test' }).filter({ hasText: 'Succeeded' }).waitFor();
  await button('Replay events').click();
  await dialog('Replay events').waitFor();
  await capture('webhook-replay');
  await dialog('Replay events').getByLabel('From (UTC)').fill('2020-01-01T00:00');
  await dialog('Replay events').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Events are retained for 30 days. Choose a later start.').waitFor();
  await dialog('Replay events')
    .getByLabel('From (UTC)')
    .fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
  await dialog('Replay events').getByRole('button', { name: 'Replay' }).click();
  await rows('Deliveries').filter({ hasText: 'Replay' }).filter({ hasText: 'Succeeded' }).waitFor();
  expect(healthy.events().map(({ type }) => type)).toEqual(['webhook.test', 'organization.created']);
});

test('rotates the secret, which is displayed once', async () => {
  const { page } = visit;
  await page.goto(`/admin/webhooks/${id}`);
  await button('Rotate secret').click();
  await dialog('Rotate the secret?').getByRole('button', { name: 'Rotate' }).click();
  await dialog('New secret created').waitFor();
  await capture('webhook-secret');
  const secret = await takeSecret('New secret created');
  const stored = await page.evaluate(
    'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state, document.body.innerText])',
  );
  expect(stored).not.toContain(secret.slice(11));
  await rows('Secrets').nth(2).waitFor();
  healthy.requests.length = 0;
  await button('Send test event').click();
  const [request] = await healthy.received(1);
  if (!request) throw new Error('no request');
  verify(secret, request);
  await rows('History').filter({ hasText: 'Rotated' }).filter({ hasText: 'Ada Example' }).waitFor();
});

test('disables, edits and enables an endpoint', async () => {
  const { page } = visit;
  await page.goto(`/admin/webhooks/${id}`);
  await button('Disable').click();
  await dialog('Disable this webhook endpoint?').getByRole('button', { name: 'Disable' }).click();
  await page.getByText('This webhook endpoint is disabled').waitFor();
  await button('Send test event').first().waitFor({ state: 'detached' });
  await button('Edit').click();
  await dialog('Edit webhook endpoint').waitFor();
  await capture('webhook-edit');
  await dialog('Edit webhook endpoint').getByLabel('URL').fill('ftp://example.com');
  await dialog('Edit webhook endpoint').getByRole('button', { name: 'Save' }).click();
  await page.locator('.mantine-InputWrapper-error').first().waitFor();
  await dialog('Edit webhook endpoint').getByLabel('URL').fill(healthy.url);
  await dialog('Edit webhook endpoint').getByLabel('Description').fill('All clubs');
  await dialog('Edit webhook endpoint').getByRole('button', { name: 'Save' }).click();
  await heading('All clubs').waitFor();
  await button('Enable').click();
  await button('Send test event').waitFor();
});

test('creates an endpoint for an account', async () => {
  const { page } = visit;
  await page.goto('/admin/webhooks');
  await button('Create webhook endpoint').click();
  const form = dialog('Create webhook endpoint');
  await form.getByRole('combobox', { name: 'Account' }).fill('Northern');
  await page.getByRole('option', { name: 'Northern Scouting Group' }).click();
  await form.getByLabel('URL').fill(healthy.url);
  await form.getByRole('combobox', { name: 'Event types' }).fill('match.fin');
  await page.getByRole('option', { name: 'match.finished' }).click();
  await page.keyboard.press('Escape');
  await capture('webhook-create');
  await form.getByRole('button', { name: 'Create' }).click();
  expect(await takeSecret('Webhook endpoint created')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await page.waitForURL(/\/admin\/webhooks\/[0-9a-f-]{36}$/);
  await page.getByText('match.finished').first().waitFor();
  await page.getByText('No deliveries yet').waitFor();
});

test('displays why the platform disabled an endpoint, and what is missing', async () => {
  const { page } = visit;
  await asDatabaseOwner(
    platform,
    "update accounts.webhook_endpoint set status = 'DISABLED', disabled_reason = 'GONE', disabled_at = now() where id = $1",
    [failingId],
  );
  await page.goto('/admin/webhooks?status=DISABLED');
  await page.getByText('Responded with the status 410').waitFor();
  await page.goto('/admin/webhooks/01a20f3d-d734-7ac8-85d3-b2771718a756');
  await page.getByText('Webhook endpoint not found').waitFor();
});

test('a viewer sees endpoints and deliveries without buttons', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/webhooks');
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page.goto(`/admin/webhooks/${id}`);
  await viewer.page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1).waitFor();
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  for (const name of [/^Retry/, 'Delete', 'Disable', 'Rotate secret', 'Replay events', 'Send test event', 'Edit'])
    await viewer.page.getByRole('button', { name }).first().waitFor({ state: 'detached' });
  const [delivery] = await deliveriesOf(owner, id);
  await viewer.page.goto(`/admin/webhooks/${id}/deliveries/${delivery?.id}`);
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page.getByRole('button', { name: 'Retry' }).first().waitFor({ state: 'detached' });
  expect(await viewer.barriers()).toEqual([]);
  await viewer.close();
});

test('all screens are accessible in light and dark mode, run no injected scripts and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
