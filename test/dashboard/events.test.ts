/** The event explorer: pages with filters, details, and the live tail. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;
let clubId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await platform.account({ account: 'Northern Scouting Group' });
  await Promise.all(Array.from({ length: 54 }, (_, club) => createClub(owner, { name: `Club ${club + 1}`, status: 'DRAFT' })));
  clubId = (await createClub(owner, { name: 'Club 55', status: 'DRAFT' })).id;
  await platform.settled();
  // the feed orders the events of different areas by their arrival, so wait for the organizations
  await owner.post('/scouting/shortlists', { name: 'Secret' });
  await platform.settled();
  visit = await visitAs(browser, platform, 'VIEWER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const rows = () => visit.page.getByRole('table', { name: 'Events', exact: true }).getByRole('row');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

test('lists the events of all accounts in pages, newest first', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  await rows().nth(50).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/shortlist\.created\s+Scouting\s+Shortlist\s+\S+\s+Northern Scouting Group/);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('events');
  await button('Next').click();
  await page.getByText('rows on this page').filter({ hasNotText: '50 rows' }).waitFor();
  await button('Previous').click();
  await page.getByText('50 rows on this page').waitFor();
});

test('filters by type, area and resource, and stores the filters in the URL', async () => {
  const { page } = visit;
  await page.goto('/admin/events');
  await page.getByRole('combobox', { name: 'Type' }).fill('shortlist.cr');
  await page.getByRole('option', { name: 'shortlist.created' }).click();
  await page.getByText('1 row', { exact: true }).waitFor();
  expect(page.url()).toContain('type=shortlist.created');
  await button('Clear filters').click();
  await page.getByLabel('Resource ID').fill(clubId);
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByLabel('From (UTC)').fill('2099-01-01T00:00');
  await page.getByText('No matching events').waitFor();
  await page.getByLabel('Resource ID').fill('not an id');
  await page.getByText('Enter a complete ID.').waitFor();
});

test('displays an event as JSON, at a separate URL', async () => {
  const { page } = visit;
  await page.goto(`/admin/events?resource=${clubId}`);
  await rows()
    .nth(1)
    .getByRole('button', { name: /^Details of organization\.created/ })
    .click();
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await drawer.getByText('An organization was created').waitFor();
  const json = await drawer.getByRole('group', { name: 'Event with the current representation, text' }).innerText();
  expect(JSON.parse(json)).toMatchObject({
    type: 'organization.created',
    resource: { type: 'organization', id: clubId, version: 1 },
    data: { type: 'Organization', deleted: false, representation: { id: clubId, name: 'Club 55', status: 'DRAFT' } },
  });
  expect(await visit.barriers()).toEqual([]);
  await visit.show('event');
  await page.reload();
  await drawer.getByText('An organization was created').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('event=');
  expect(page.url()).toContain('resource=');
});

test('the live tail follows new events, pauses, and continues where it was', async () => {
  const { page } = visit;
  await page.goto('/admin/events?type=organization.created');
  await page.getByText('Live', { exact: true }).first().click();
  await page.waitForURL('**view=LIVE');
  await rows().nth(20).waitFor();
  await button('Pause').waitFor();
  expect(await rows().count()).toBe(21);
  const club = await createClub(owner, { name: 'New', status: 'DRAFT' });
  await rows().nth(1).filter({ hasText: club.id }).waitFor();
  expect(await rows().count()).toBe(22);
  await visit.show('events-live');

  await button('Pause').click();
  await page.getByText('New events appear after you resume.').waitFor();
  expect(await page.getByRole('status').filter({ hasText: 'Paused' }).count()).toBe(1);
  expect(await visit.barriers()).toEqual([]);
  const missed = [
    await createClub(owner, { name: 'Missed 1', status: 'DRAFT' }),
    await createClub(owner, { name: 'Missed 2', status: 'DRAFT' }),
  ];
  await platform.settled();
  const polls: string[] = [];
  page.on('request', (request) => polls.push(request.postData() ?? ''));
  await page.clock.install();
  await page.clock.runFor(10_000);
  expect(polls.filter((body) => body.includes('EventLog'))).toEqual([]);
  await button('Resume').click();
  await rows()
    .nth(1)
    .filter({ hasText: missed[1]?.id ?? '' })
    .waitFor();
  await rows()
    .nth(2)
    .filter({ hasText: missed[0]?.id ?? '' })
    .waitFor();
  expect(await rows().count()).toBe(24);
});

test('the live tail announces a summary to screen readers, and polls in the background', async () => {
  const { page } = visit;
  await page.clock.install();
  await page.goto('/admin/events?view=LIVE');
  await rows().nth(1).waitFor();
  for (let club = 1; club <= 3; club += 1) await createClub(owner, { name: `More ${club}`, status: 'DRAFT' });
  await platform.settled();
  const [poll] = await Promise.all([
    page.waitForRequest((request) => request.postData()?.includes('afterSequence') === true),
    page.clock.runFor(2_500),
  ]);
  expect(poll.headers()['x-background']).toBe('true');
  await rows().filter({ hasText: 'organization.created' }).nth(2).waitFor();
  const announced = page.getByRole('status').filter({ hasText: '3 new events' });
  await announced.first().waitFor({ state: 'detached' });
  await page.clock.runFor(15_000);
  await announced.waitFor();
});

test('runs no injected scripts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
