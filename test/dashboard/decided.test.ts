/** Past decisions in moderation with their undo, and the search in the queues. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createAdult, createClub } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await platform.account({ account: 'Club' });
  visit = await visitAs(browser, platform, 'MODERATOR');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const row = (text: string) => visit.page.getByRole('row').filter({ hasText: text });

test('lists what was decided, by whom and why, and undoes a suspension', async () => {
  const { page, signedIn } = visit;
  const { id } = await createClub(owner, { name: 'Rovers' });
  const suspend = 'mutation ($id: ID!) { suspendOrganization(id: $id, reason: "Copies another club") { status } }';
  expect((await signedIn.run(suspend, { id })).data.suspendOrganization.status).toBe('SUSPENDED');
  await page.goto('/admin/moderation');
  await page.getByRole('tab', { name: 'Decided' }).click();
  await row('Copies another club').getByText('Suspended').waitFor();
  await row('Copies another club').getByText('Ada Example').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-decided');
  await page.getByRole('button', { name: 'Reinstate Rovers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reinstate', exact: true }).click();
  await row('Reinstated').waitFor();
  await page.getByRole('button', { name: 'Reinstate Rovers' }).first().waitFor({ state: 'detached' });
  expect((await owner.get(`/organizations/${id}`)).body.status).toBe('ACTIVE');
});

test('filters by kind and decision; a rejection is replaced by a verification', async () => {
  const { page, signedIn } = visit;
  const { id } = await createAdult(owner, { displayName: 'Ada Runner' });
  await signedIn.run('mutation ($id: ID!) { rejectAthlete(id: $id, reason: "No evidence") { id } }', { id });
  await page.goto('/admin/moderation?queue=decided&view=athletes');
  await row('No evidence').waitFor();
  await page.getByRole('button', { name: 'Verify Ada Runner' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Verification method/)
    .fill('Passport');
  await page.getByRole('dialog').getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Reject Ada Runner' }).waitFor();
  await page.goto('/admin/moderation?queue=decided&view=athletes&action=reject');
  await row('No evidence').waitFor();
  await row('Verified').first().waitFor({ state: 'detached' });
  await page.goto('/admin/moderation?queue=decided&view=reports');
  await page.getByText('No decisions yet').waitFor();
});

test('the queues of organizations and athletes have a search', async () => {
  const { page } = visit;
  await createClub(owner, { name: 'Harbor United' });
  await page.goto('/admin/moderation');
  await row('Rovers').waitFor();
  await page.getByRole('searchbox', { name: 'Name' }).fill('harbor');
  await row('Harbor United').waitFor();
  await row('Rovers').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Name' }).fill('nothing like it');
  await page.getByText('No matching items').waitFor();
  expect(await visit.barriers()).toEqual([]);
  expect(visit.faults()).toEqual([]);
});

test('a viewer sees the decisions without undo', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/moderation?queue=decided');
  await viewer.page.getByRole('row').filter({ hasText: 'Copies another club' }).waitFor();
  await viewer.page.getByRole('columnheader', { name: 'Undo' }).first().waitFor({ state: 'detached' });
  await viewer.close();
});
