/** The screens of portal users: list with filters, details, password link, second factor, disable and enable. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createMember, createMemberWithPassword, type MemberWithPassword } from '../member.ts';
import { setUpSecondFactor } from '../second-factor.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let member: MemberWithPassword;
let name: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = () => visit.page.getByRole('dialog');
const row = (text: string) => visit.page.getByRole('table', { name: 'Portal users' }).getByRole('row').filter({ hasText: text });

const barriers: string[] = [];

async function capture(screen: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${screen}: ${barrier}`));
  await visit.show(screen);
}

async function choose(action: string): Promise<void> {
  await visit.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await visit.page.getByRole('menuitem', { name: action }).click();
}

test('an empty list leads to the accounts', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Portal users' }).click();
  await page.getByText('No portal users yet').waitFor();
  await capture('portal-users-none');
  await page.getByRole('link', { name: 'Open accounts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
});

test('filters the list by name, status and account, in the URL', async () => {
  const { page } = visit;
  member = await createMemberWithPassword(platform);
  await setUpSecondFactor(platform.graphqlUrl, '/portal', member);
  const { user, account } = (await member.run('{ member { user { name } account { name } } }')).member;
  name = user.name;
  const other = await createMember(platform, { role: 'VIEWER' });
  await page.goto('/admin/portal-users');
  await row(member.email).waitFor();
  expect(await row(member.email).innerText()).toMatch(/Active\s+Account \d+ \(owner\)\s+Yes\s+20/);
  await row(other.email).getByText('(viewer)').waitFor();
  await capture('portal-users');
  await page.getByRole('combobox', { name: 'Account' }).fill(account.name);
  await page.getByRole('option', { name: account.name, exact: true }).click();
  await page.waitForURL(new RegExp(`account=${member.accountId}`));
  await row(other.email).waitFor({ state: 'detached' });
  await row(member.email).waitFor();
  await page.goto(`/admin/portal-users?q=${other.email.split('@')[0]}`);
  await row(other.email).waitFor();
  await row(member.email).first().waitFor({ state: 'detached' });
  await page.goto('/admin/portal-users?status=DISABLED');
  await page.getByText('No matching portal users').waitFor();
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await row(member.email).waitFor();
});

test('a password link is displayed once and sets a new password', async () => {
  await choose('Create password link');
  const link = await dialog().getByText('/portal/setup#').innerText();
  await dialog().getByText(`(${member.email})`).waitFor();
  await capture('portal-user-link');
  await dialog().getByRole('button', { name: 'I have saved it' }).click();
  await dialog().waitFor({ state: 'detached' });
  const invited = await browser.visit(platform.graphqlUrl);
  await invited.page.goto(new URL(link).pathname + new URL(link).hash);
  await invited.page.getByLabel(/^Password/).waitFor();
  await invited.close();
});

test('the page of a user has the accounts, sessions and history, and removes the second factor', async () => {
  const { page } = visit;
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('table', { name: 'Accounts of the user' }).getByRole('cell', { name: 'Owner' }).waitFor();
  await page.getByRole('table', { name: 'Sessions' }).getByText('Password').waitFor();
  await page.getByRole('table', { name: 'History' }).getByText('Setup link created').waitFor();
  await page.getByRole('button', { name: 'Copy user ID' }).waitFor();
  // a timestamp below the pointer would display its tooltip
  await page.mouse.move(0, 0);
  await capture('portal-user');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove second factor' }).click();
  await dialog()
    .getByLabel(/to confirm$/)
    .fill(name);
  await capture('portal-user-second-factor');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No active sessions').waitFor();
  expect(await member.codeOf('{ member { role } }')).toBe('sign_in_required');
});

test('disabling a user ends the sessions until the user is enabled', async () => {
  const { page } = visit;
  const other = await createMember(platform, { role: 'VIEWER' });
  ({ name } = (await other.run('{ member { user { name } } }')).member.user);
  await page.goto('/admin/portal-users');
  await choose('Disable');
  await dialog().getByLabel('Reason').fill('Left the partner');
  await dialog()
    .getByLabel(/to confirm$/)
    .fill(name);
  await capture('portal-user-disable');
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await row(other.email).getByText('Disabled').waitFor();
  expect(await other.codeOf('{ member { role } }')).toBe('sign_in_required');
  await choose('Enable');
  await row(other.email).getByText('Active').waitFor();
});

test('a viewer reads the list without actions', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER', { width: 390, height: 844 });
  await viewer.page.goto('/admin/portal-users');
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page.getByText(member.email).waitFor();
  await viewer.page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await viewer.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await viewer.barriers()).toEqual([]);
  await viewer.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
