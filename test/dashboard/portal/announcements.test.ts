/** The announcements in the portal, in pages, and the links to the API changelog. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'VIEWER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('a viewer reads all announcements in pages, and finds the API changelog', async () => {
  const { page } = visit;
  await page.goto('/portal/announcements');
  await page.getByText('No announcements', { exact: true }).waitFor();
  for (let number = 1; number <= 12; number += 1)
    await platform.administer('mutation ($input: AnnouncementInput!) { createAnnouncement(input: $input) { id } }', {
      input: { title: `News ${number}`, text: 'First paragraph.\n\nSecond <b>paragraph</b>.' },
    });
  await page.goto('/portal');
  await page.getByRole('link', { name: 'All announcements' }).click();
  await page.getByRole('article').nth(9).waitFor();
  expect(await page.getByRole('article').count()).toBe(10);
  await page.getByText('Second <b>paragraph</b>.').first().waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('portal-announcements');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('heading', { name: 'News 1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByRole('heading', { name: 'News 12' }).waitFor();
  const changelog = page.getByRole('region', { name: 'API changelog' });
  const links = await changelog.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(['/docs/changelog', '/docs/changelog.atom']);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await visit.barriers()).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
