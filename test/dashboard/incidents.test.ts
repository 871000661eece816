/** The incident screens, and the public status page that they write. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
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

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

async function selectComponent(title: string): Promise<void> {
  await dialog().getByRole('combobox', { name: 'Components' }).fill(title);
  await visit.page.getByRole('option', { name: title }).click();
}

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('publishes an incident, adds an update and edits it', async () => {
  const { page } = visit;
  await page.goto('/admin/incidents');
  await page.getByText('No incidents yet').waitFor();
  await button('Create incident').click();
  await dialog().getByLabel('Title').fill('Searches are slow');
  await selectComponent('Athletes');
  await selectComponent('Scouting');
  await dialog().getByLabel('First update').fill('We look into it.\n\nWrites are not affected.');
  await capture('incident-create');
  await button('Publish').click();
  await heading('Searches are slow').waitFor();
  await button('Add update').click();
  await dialog().getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Monitoring' }).click();
  await dialog().getByRole('textbox', { name: 'Update' }).fill('An index was missing.');
  await capture('incident-update');
  await button('Publish').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('An index was missing.').waitFor();
  await button('Edit').click();
  await dialog().getByLabel('Title').fill('Searches were slow');
  await button('Save').click();
  await heading('Searches were slow').waitFor();
  await capture('incident');
  const { body } = await platform.anonymous.get('/status/incidents');
  expect(body.data).toMatchObject([
    { title: 'Searches were slow', status: 'MONITORING', impact: 'DEGRADED', components: ['ATHLETES', 'SCOUTING'] },
  ]);
});

test('maintenance requires a planned end, which the form asks for', async () => {
  const { page } = visit;
  await page.goto('/admin/incidents');
  await button('Create incident').click();
  await dialog().getByLabel('Title').fill('Upgrade of the database');
  await dialog().getByRole('combobox', { name: 'Impact' }).click();
  await page.getByRole('option', { name: 'Maintenance' }).click();
  await dialog().getByLabel('Start (UTC)').fill('2031-05-01T04:00');
  await dialog().getByLabel('Planned end (UTC)').fill('2031-05-01T03:00');
  await selectComponent('Events and webhooks');
  await dialog().getByLabel('First update').fill('Webhooks are sent later.');
  await button('Publish').click();
  await dialog().getByText('The end must be after the start.').waitFor();
  await dialog().getByLabel('Planned end (UTC)').fill('2031-05-01T05:00');
  await button('Publish').click();
  await heading('Upgrade of the database').waitFor();
  await page.goto('/admin/incidents?open=YES');
  await page.getByRole('link', { name: 'Upgrade of the database' }).waitFor();
  await capture('incidents');
});

test('the public page shows the components and incidents without barriers', async () => {
  // the check of the components may have run for an earlier test
  await platform.maintain();
  const { page } = visit;
  await page.goto('/status');
  await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
  await page.getByRole('heading', { name: 'Searches were slow' }).waitFor();
  await page.getByRole('img', { name: /^Events and webhooks: / }).waitFor();
  await capture('status');
});

test('a viewer reads incidents and has no buttons to write', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/incidents');
  await viewer.page.getByRole('link', { name: 'Searches were slow' }).click();
  await viewer.page.getByRole('heading', { level: 1, name: 'Searches were slow' }).waitFor();
  await viewer.page.getByRole('button', { name: 'Add update' }).first().waitFor({ state: 'detached' });
});

test('no screen has accessibility barriers', () => {
  expect(barriers).toEqual([]);
});
