/** An administrator deletes a webhook endpoint, after typing its name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createEndpoint } from '../stories/webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../stories/webhooks/receiver.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;
let receiver: Receiver;
let id: string;
beforeAll(async () => {
  [platform, browser, receiver] = await Promise.all([openTestPlatform(), openBrowser(), openReceiver()]);
  owner = await platform.account({ account: 'Northern Scouting Group' });
  id = (await createEndpoint(owner, receiver, { description: 'Old staging' })).id;
  visit = await visitAs(browser, platform, 'ADMIN');
  await visit.page.goto(`/admin/webhooks/${id}`);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
  await receiver.close();
});

const openButton = () => visit.page.getByRole('button', { name: 'Delete', exact: true });
const confirmation = () => visit.page.getByRole('dialog', { name: 'Delete this webhook endpoint?' });
const confirm = () => confirmation().getByRole('button', { name: 'Delete' });

test('the dialog explains what is deleted, and requires the name', async () => {
  await openButton().click();
  await confirmation().getByText('its deliveries and secrets are deleted').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('webhook-delete');
  await confirmation().getByRole('textbox').fill('Old');
  expect(await confirm().isDisabled()).toBe(true);
  await confirmation().getByRole('button', { name: 'Cancel' }).click();
  await confirmation().waitFor({ state: 'detached' });
  expect((await owner.get(`/webhooks/${id}`)).status).toBe(200);
});

test('a webhook endpoint that was changed in the meantime is not deleted', async () => {
  await openButton().click();
  expect((await owner.patch(`/webhooks/${id}`, { areas: ['ATHLETES'] }, { 'if-match': '*' })).status).toBe(200);
  await confirmation().getByRole('textbox').fill('Old staging');
  await confirm().click();
  await visit.page.getByRole('alert').filter({ hasText: 'precondition_failed' }).waitFor();
  expect((await owner.get(`/webhooks/${id}`)).status).toBe(200);
});

test('the endpoint is deleted, the list opens, and the audit log names the administrator', async () => {
  const { page } = visit;
  await page.goto(`/admin/webhooks/${id}`);
  await openButton().click();
  await confirmation().getByRole('textbox').fill('Old staging');
  await confirm().click();
  await page.waitForURL('**/admin/webhooks');
  await page.getByText('Webhook endpoint deleted').waitFor();
  await page.getByText('No webhook endpoints yet').waitFor();
  expect((await owner.get(`/webhooks/${id}`)).status).toBe(404);
  await page.goto(`/admin/audit?resource=${id}`);
  await page.getByRole('row').filter({ hasText: 'Deleted' }).filter({ hasText: 'Ada Example' }).waitFor();
  expect(visit.faults()).toEqual([]);
});
