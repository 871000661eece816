/** The event delivery screens: consumers with their lag, and retries of dead letters. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openBrowser, type Browser } from '../browser.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let database: pg.Client;
let clubId: string;

const hostile = '<img src=x onerror=alert(1)>';
const path = '/admin/event-delivery/opportunities/organizations';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  clubId = (await createClub(await platform.account({ account: 'Club' }))).id;
  await platform.settled();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await database.end();
  await browser.close();
  await platform.close();
});

/** A dead letter of the projection of clubs in opportunities. A retry succeeds. */
const addDeadLetter = (error: string) =>
  database.query(
    `insert into opportunities.dead_letter (consumer, area, event_id, position, type, resource_type, resource_id, version, data, at, error)
    values ('organizations', 'organizations', $1, 1, 'organization.created', 'organization', $2, 1, '{}', now(), $3)`,
    [randomUUID(), clubId, error],
  );

const rows = (name: string) => visit.page.getByRole('table', { name }).getByRole('row');

test('lists the consumers of all areas, and links to each', async () => {
  const { page } = visit;
  await addDeadLetter('23514');
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Event delivery', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Event delivery' }).waitFor();
  const consumer = rows('Consumers').filter({ hasText: /^Opportunities\s*organizations/ });
  await consumer.waitFor();
  expect(await consumer.innerText()).toMatch(/Degraded\s+Organizations\s+0\s+–\s+1\s+\d{4}-/);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('event-delivery');
  await consumer.getByRole('link').click();
  await page.waitForURL(`**${path}`);
});

test('the health of the relay links to the screen', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await rows('Health').getByRole('link', { name: '1 dead letter of 1 consumer' }).click();
  await page.waitForURL('**/admin/event-delivery');
});

test('retries one dead letter, and all of a consumer, after a confirmation', async () => {
  const { page } = visit;
  for (let letter = 0; letter < 2; letter += 1) await addDeadLetter(hostile);
  await page.goto(path);
  await rows('Dead letters').nth(3).waitFor();
  expect(await rows('Dead letters').nth(1).innerText()).toContain(hostile);
  expect(await page.title()).toBe('organizations · Talent Platform');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('event-consumer');
  // the resource is in all three events: its current state resolves them
  await rows('Dead letters')
    .nth(1)
    .getByRole('button', { name: /^Retry organization\.created of/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Retry 1 dead letter?' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Retry all' }).click();
  await page.getByRole('dialog', { name: 'Retry 3 dead letters?' }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('event-retry');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Retrying 3 dead letters').waitFor();
  await page.getByText('No dead letters', { exact: true }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('event-consumer-empty');
});

test('displays what is missing and what failed', async () => {
  const { page } = visit;
  await page.goto('/admin/event-delivery/opportunities/unknown');
  await page.getByText('Consumer not found').waitFor();
  const other = await visitAs(browser, platform, visit.signedIn);
  await other.page.route('**/admin/graphql', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'upstream_unavailable', detail: 'The area scouting is unavailable.', requestId: 'r-1' },
    }),
  );
  await other.page.goto('/admin/event-delivery');
  await other.page.getByText('The area scouting is unavailable.').first().waitFor();
  expect(await other.barriers()).toEqual([]);
  await other.show('event-delivery-error');
  await other.close();
});

test('a viewer sees dead letters without buttons', async () => {
  await addDeadLetter('TypeError');
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto(path);
  await viewer.page.getByRole('table', { name: 'Dead letters' }).getByRole('row').nth(1).waitFor();
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page
    .getByRole('button', { name: /^Retry/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await viewer.barriers()).toEqual([]);
  await viewer.close();
});

test('runs no injected scripts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
