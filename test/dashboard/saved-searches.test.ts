/** The screen of saved searches: list, filters, details, and its links from accounts, events and the navigation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { filterItemsOf, filterSummary, intervalLabel } from '../../dashboard/screens/saved-searches/filter-items.ts';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createAdult } from '../stories/organizations/clubs.ts';
import { createShortlist } from '../stories/scouting/scouts.ts';
import { runAll, saveSearch } from '../stories/scouting/searchers.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let scout: Client;
let matched: string;
let accountId: string;

const hostile = '<img src=x onerror=alert(1)>';
const idOf = (path: string): string => path.split('/').at(-1) ?? '';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  scout = await platform.account({ account: 'Northern Scouting Group' });
  const other = await platform.account({ account: 'Data Desk' });
  const shortlistId = idOf(await createShortlist(scout));
  const leftBacks = { athletes: { sport: ['FOOTBALL'], position: ['LB'], heightCmMin: 175, ageMax: 40 } };
  matched = idOf(await saveSearch(scout, leftBacks, { shortlistId }));
  await saveSearch(scout, { prospects: { sport: ['FOOTBALL'], minScore: 40 } }, { name: hostile, paused: true });
  await saveSearch(other, { opportunities: {} }, { name: 'Everything new', intervalMinutes: 1440 });
  await createAdult(other, { heightCm: 180 });
  await runAll(platform);
  visit = await visitAs(browser, platform, 'MODERATOR');
  const { data } = await visit.signedIn.run('{ accounts(first: 1, filter: { q: "Northern" }) { nodes { id } } }');
  accountId = data.accounts.nodes[0].id;
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const rows = () => visit.page.getByRole('table', { name: 'Saved searches', exact: true }).getByRole('row');
const drawer = () => visit.page.getByRole('dialog', { name: 'Saved search' });

/** The axe violations of all screens, checked at the end. */
const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test.each([
  [{ athletes: {} }, 'No filters'],
  [{ athletes: { position: ['LB', 'RB'], heightCmMin: 180 } }, 'Position: LB, RB · Height (cm), at least: 180'],
  [{ athletes: { ageMax: 20, openToOpportunities: true } }, 'Age, at most: 20 · Open to opportunities: Yes'],
  [{ athletes: { q: 'LEWIS', country: ['DE'], sex: ['FEMALE'] } }, 'Text: LEWIS · Country: DE · Sex: Female'],
  [
    { prospects: { minScore: 60, metric: ['goals:gte:0.5:perMatch', 'saves:lte:3'] } },
    'Score, at least: 60 · Metric: goals at least 0.5 per match, saves at most 3',
  ],
  [{ opportunities: { near: '52.5,13.4', radiusKm: 50 } }, 'Near: 52.5,13.4 · Radius (km): 50'],
  [{ opportunities: { status: ['PARTIALLY_FILLED'], mine: true } }, 'Status: Partially filled · Own only: Yes'],
])('displays the filter %j in words', (filter, text) => {
  expect(filterSummary(filter)).toBe(text);
  expect(filterItemsOf(filter)).toHaveLength(text === 'No filters' ? 0 : text.split(' · ').length);
});

test.each([
  [5, 'Every 5 minutes'],
  [60, 'Every hour'],
  [90, 'Every 90 minutes'],
  [2_880, 'Every 2 days'],
  [10_080, 'Every week'],
])('displays an interval of %i minutes as %s', (minutes, text) => expect(intervalLabel(minutes)).toBe(text));

test('lists the saved searches of all accounts, with filters in the URL', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Saved searches', exact: true }).click();
  await heading('Saved searches').waitFor();
  await rows().nth(3).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(
    /Everything new\s+No filters\s+Data Desk\s+Opportunities\s+Active\s+Every day\s+0\s+Never/,
  );
  expect(await rows().nth(2).innerText()).toMatch(
    /onerror.*\s+Sport: Football · Score, at least: 40\s+Northern.*\s+Prospects\s+Paused/,
  );
  expect(await rows().nth(3).innerText()).toMatch(/Left backs\s+Sport: Football · Age, at most: 40 · Position: LB · /);
  expect(await rows().nth(3).innerText()).toMatch(/Every hour\s+1\s+\d{4}-/);
  await capture('saved-searches');
  await page.getByRole('combobox', { name: 'List' }).click();
  await page.getByRole('option', { name: 'Prospects' }).click();
  await page.waitForURL('**/admin/saved-searches?kind=PROSPECTS');
  await rows().nth(2).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Account' }).fill('Data');
  await page.getByRole('option', { name: 'Data Desk' }).click();
  await page.getByText('No matching saved searches').waitFor();
});

test('displays the details of a saved search, with its filter in words', async () => {
  const { page } = visit;
  await page.goto('/admin/saved-searches?kind=ATHLETES');
  await page.getByRole('link', { name: 'Left backs' }).click();
  await page.waitForURL(`**/admin/saved-searches?kind=ATHLETES&search=${matched}`);
  await drawer().getByText('Height (cm), at least').waitFor();
  expect(await drawer().innerText()).toMatch(/Interval\s+Every hour\s+Matches in 90 days\s+1\s/);
  expect(await drawer().getByRole('group', { name: 'Filter as in the API, text' }).innerText()).toContain('"heightCmMin": 175');
  await capture('saved-search');
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/saved-searches\?kind=ATHLETES$/);
  await page.goto('/admin/saved-searches?search=01a20f3d-d734-7ac8-85d3-b2771718a756');
  await page.getByText('Saved search not found').waitFor();
});

test('the page of an account links to its webhooks and saved searches', async () => {
  const { page } = visit;
  await page.goto(`/admin/accounts/${accountId}`);
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL(`**/admin/webhooks?account=${accountId}`);
  await page.getByText('No matching webhook endpoints').waitFor();
  await page.goto(`/admin/accounts/${accountId}`);
  await details.getByRole('link', { name: 'Saved searches' }).click();
  await page.waitForURL(`**/admin/saved-searches?account=${accountId}`);
  await rows().nth(2).waitFor();
  expect(await rows().count()).toBe(3);
});

test('an event of a saved search links to its details, which say that it does not run for a suspended account', async () => {
  const { page } = visit;
  await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id: accountId });
  await page.goto(`/admin/events?type=saved_search.matched`);
  await page.getByRole('link', { name: matched }).click();
  await page.waitForURL(`**/admin/saved-searches?search=${matched}`);
  await drawer().getByText('The account is suspended: this search does not run.').waitFor();
  await drawer().getByRole('link', { name: 'Northern Scouting Group' }).click();
  await page.waitForURL(`**/admin/accounts/${accountId}`);
});

test('all screens are accessible in light and dark mode, run no injected scripts and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
