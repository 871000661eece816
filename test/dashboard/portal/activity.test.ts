/** The activity of an account in the portal: names, filters in the URL, links to keys, and the export; nothing of other accounts. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;
let keyId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'OWNER');
  const { member } = visit;
  const other = await createMember(platform);
  await other.run('mutation { createOwnKey(input: { name: "foreign" }) { key } }');
  const { createOwnKey } = await member.run('mutation { createOwnKey(input: { name: "website" }) { apiKey { id } } }');
  keyId = createOwnKey.apiKey.id;
  const id = { id: keyId };
  await member.run('mutation ($id: ID!) { updateOwnKey(id: $id, ifMatch: "*", input: { name: "shop" }) { id } }', id);
  await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id, reason: "The key was published.") { id } }', id);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const rows = () => visit.page.getByRole('table', { name: 'Activity' }).getByRole('row');

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('names the actors and the changed resources, newest first', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await rows().nth(3).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/The operator\s+Revoked\s+API key shop[\s\S]+The key was published\./);
  expect(await rows().nth(2).innerText()).toMatch(/Member \d+\s+Updated\s+API key shop[\s\S]+name/);
  expect(await rows().nth(3).innerText()).toMatch(/Member \d+\s+Issued\s+API key shop/);
  expect(await page.getByRole('main').innerText()).not.toContain('foreign');
  await checked('activity');
});

test('filters by type and by resource, which the URL has', async () => {
  const { page } = visit;
  await page.goto('/portal/activity?type=WRONG');
  await rows().nth(3).waitFor();
  await page.getByRole('combobox', { name: 'Resource type' }).click();
  await page.getByRole('option', { name: 'Webhook endpoint' }).click();
  await page.getByText('No matching changes').waitFor();
  await checked('activity-no-matches');
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await page.getByRole('link', { name: 'All changes of shop' }).first().click();
  await page.waitForURL(`**resource=${keyId}`);
  await page.getByText('3 rows', { exact: true }).waitFor();
  await rows().nth(1).getByRole('link', { name: 'shop', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  await page.getByRole('link', { name: 'Open activity' }).click();
  await page.getByText('3 rows', { exact: true }).waitFor();
});

test('exports the filtered changes as CSV', async () => {
  const { page } = visit;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV', exact: true }).click(),
  ]);
  const [head, first, ...others] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(head).toBe('id,at,actorKind,actorName,action,resourceType,resourceId,resourceName,changedFields,reason');
  expect(first).toContain(`"SYSTEM","","revoke","API_KEY","${keyId}","shop"`);
  expect(others).toHaveLength(2);
});

test('a viewer reads the activity on a phone', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: visit.member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  await reading.page.goto('/portal/activity');
  await reading.page.getByRole('table', { name: 'Activity' }).getByText('Revoked', { exact: true }).waitFor();
  expect(await reading.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
});
