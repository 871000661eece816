/** The frame of the portal: sign-in, navigation, and the account of the screens. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember, inviteUser } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('a member opens the portal, and switches between accounts', async () => {
  const visit = await visitAsMember(browser, platform, 'OWNER');
  const { page, member } = visit;
  const other = await createMember(platform, { role: 'OWNER' });
  const token = await inviteUser(platform.administer, other.accountId, member.email, 'VIEWER');
  await page.goto('/portal');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('main').getByText('Owner').waitFor();
  expect(await visit.barriers()).toEqual([]);
  const accepted = await member.fetch('/portal/invitation', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  expect(accepted.status).toBe(200);
  await page.reload();
  const tab = await page.context().newPage();
  await tab.goto('/portal');
  await tab.getByRole('combobox', { name: 'Account' }).waitFor();
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').nth(0).waitFor();
  const { account } = (await other.run('{ member { account { name } } }')).member;
  await page.getByRole('option', { name: account.name }).click();
  await page.getByRole('main').getByText('Viewer').waitFor();
  // another tab keeps its account, and the choice stays
  await tab.getByRole('link', { name: 'Members' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  expect(await tab.getByRole('combobox', { name: 'Account' }).inputValue()).not.toBe(account.name);
  await page.reload();
  await page.getByRole('main').getByText('Viewer').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('portal-overview');
  expect(visit.faults()).toEqual([]);
});

test('without a session, every path of the portal opens the sign-in and returns afterwards', async () => {
  const visit = await browser.visit(platform.graphqlUrl);
  await visit.page.goto('/portal/?q=1');
  await visit.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  expect(visit.faults()).toEqual([]);
});

test('scripts and styles of the portal are below /portal', async () => {
  const html = await (await fetch(`${platform.graphqlUrl}/portal/keys/1`)).text();
  const [, script = ''] = /src="([^"]+)"/.exec(html) ?? [];
  expect(script).toMatch(/^\/portal\/assets\//);
  expect((await fetch(`${platform.graphqlUrl}${script}`)).status).toBe(200);
  expect(html).not.toContain('/admin');
});
