/** The events in the portal: a list of those that name the account, filters, and details. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { createClub } from '../../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAccountWithKey, visitNarrow, type AccountWithKey } from './account-with-key.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let account: AccountWithKey;
let visit: MemberVisit;
let clubId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  account = await createAccountWithKey(platform, 'Northern Scouting Group');
  const { owner: other } = await createAccountWithKey(platform, 'Other');
  await createClub(other, { name: 'Public club of another account' });
  for (let club = 1; club <= 51; club += 1)
    clubId = (await createClub(account.owner, { name: `Club ${club}`, status: 'DRAFT' })).id;
  await platform.settled();
  const developer = await createMember(platform, { role: 'DEVELOPER', accountId: account.accountId });
  visit = await visitAsMember(browser, platform, developer);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const rows = () => visit.page.getByRole('table', { name: 'Events', exact: true }).getByRole('row');

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('a member reads the events of the account in pages, newest first', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await rows().nth(50).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/organization\.created\s+Organizations\s+Organization/);
  await rows().filter({ hasText: clubId }).getByRole('button', { name: 'Copy ID of organization' }).waitFor();
  await checked('events');
  await button('Next').click();
  await rows().filter({ hasText: 'api_key.issued' }).waitFor();
  expect(await rows().filter({ hasText: 'api_key.issued' }).getByRole('link').getAttribute('href')).toContain('/portal/keys/');
  await button('Previous').click();
  await page.getByText('50 rows on this page').waitFor();
});

test('filters are stored in the URL', async () => {
  const { page } = visit;
  await page.getByRole('combobox', { name: 'Type' }).fill('api_key.is');
  await page.getByRole('option', { name: 'api_key.issued' }).click();
  await page.getByText('1 row', { exact: true }).waitFor();
  expect(page.url()).toContain('type=api_key.issued');
  await button('Clear filters').click();
  await page.getByLabel('Resource ID').fill(clubId);
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByLabel('From (UTC)').fill('2099-01-01T00:00');
  await page.getByText('No matching events').waitFor();
  await button('Clear all filters').click();
  await page.getByText('50 rows on this page').waitFor();
});

test('the details of an event have the current representation, at a separate URL', async () => {
  const { page } = visit;
  await page.goto(`/portal/events?resource=${clubId}`);
  await page.getByRole('button', { name: /^Details of organization\.created/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Event' });
  const json = await drawer.getByRole('group', { name: 'Event with the current representation, text' }).innerText();
  expect(JSON.parse(json)).toMatchObject({
    type: 'organization.created',
    data: { representation: { id: clubId, name: 'Club 51' } },
  });
  await drawer.getByRole('button', { name: 'Copy event ID' }).waitFor();
  await checked('event');
  await page.reload();
  await drawer.getByText('An organization was created').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('event=');
});

test('a viewer reads the events on a phone', async () => {
  const reading = await visitNarrow(browser, platform, account.accountId, 'VIEWER');
  const { page } = reading;
  await page.goto('/portal/events');
  await page
    .getByRole('button', { name: /^Details of organization\.created/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Area' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
});
