/** The overview of the portal: announcements, and usage after the first requests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'OWNER', { width: 390, height: 844 });
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('the latest announcements are on the overview', async () => {
  await platform.administer('mutation ($input: AnnouncementInput!) { createAnnouncement(input: $input) { id } }', {
    input: { title: 'New sports', text: 'Handball is available.\n\nHockey follows.' },
  });
  const { page } = visit;
  await page.goto('/portal');
  await page.getByText('New sports').waitFor();
  await page.getByText('Handball is available.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(visit.faults()).toEqual([]);
});

test('the usage replaces the next steps after the first request', async () => {
  const { page, member } = visit;
  const { createOwnKey } = await member.run('mutation { createOwnKey(input: { name: "first" }) { key } }');
  const response = await fetch(`${platform.restUrl}/api/v1/athletes`, { headers: { 'x-api-key': createOwnKey.key } });
  expect(response.status).toBe(200);
  await platform.flushUsage();
  await page.reload();
  await page.getByRole('figure', { name: 'Requests by day' }).waitFor();
  await page.getByText('1 of 1,000,000,000').first().waitFor();
  await page.getByRole('heading', { name: 'Next steps' }).first().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('portal-overview-used');
  expect(visit.faults()).toEqual([]);
});
