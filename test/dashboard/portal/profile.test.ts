/** The profile of a user of the portal: name, password, second factor and sessions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, stepAt } from '../../../subgraphs/accounts/sign-in/totp.ts';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember, createMemberWithPassword, postSameOrigin, type MemberWithPassword } from '../../member.ts';
import { bytesOf } from '../../stories/portal/base32.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let member: MemberWithPassword;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  member = await createMemberWithPassword(platform);
  visit = await visitAsMember(browser, platform, member);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = () => visit.page.getByRole('dialog');

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('a user changes the name and the password, and ends another session', async () => {
  const { page } = visit;
  const credentials = { email: member.email, password: member.password };
  expect((await postSameOrigin(platform.graphqlUrl, '/portal/session', credentials)).status).toBe(200);
  await page.goto('/portal');
  await page.getByRole('button', { name: /^Member/ }).click();
  await page.getByRole('menuitem', { name: 'Your profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  await page.getByRole('button', { name: /^End session/ }).waitFor();
  await checked('profile');
  await page.getByRole('button', { name: /^End session/ }).click();
  await page.getByRole('button', { name: /^End session/ }).waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(member.password);
  await page.getByLabel(/^New password/).fill('a different long password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').waitFor();
  expect(visit.faults()).toEqual([]);
});

test('a user sets up and removes an authenticator app', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: 'Set up second factor' }).click();
  await dialog().getByLabel('Current password').fill('not the password');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByRole('alert').waitFor();
  await dialog().getByLabel('Current password').fill('a different long password');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByRole('img', { name: 'QR code of the secret' }).waitFor();
  await checked('second-factor');
  const secret = await dialog()
    .getByText(/^[A-Z2-7]{32,}$/)
    .innerText();
  await dialog()
    .getByLabel(/^Code/)
    .fill(codeOf(bytesOf(secret), stepAt(Date.now())));
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await dialog().getByText('Save the recovery codes now').waitFor();
  await checked('recovery-codes');
  const codes = await dialog().locator('text=/^\\S+(\\n\\S+){9}$/').innerText();
  await dialog().getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Remove second factor' }).click();
  await dialog().getByLabel('Current password').fill('a different long password');
  await dialog()
    .getByLabel(/^Code/)
    .fill(codes.split('\n')[0] ?? '');
  await checked('second-factor-removal');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Set up second factor' }).waitFor();
  expect(visit.faults()).toEqual([]);
});

test('a user of an identity provider has no password, also on a phone', async () => {
  const other = await visitAsMember(browser, platform, await createMember(platform), { width: 390, height: 844 });
  await other.page.goto('/portal/profile');
  await other.page.getByText('You sign in with an identity provider').waitFor();
  await other.page.getByRole('table', { name: 'Sessions' }).waitFor();
  await other.page.getByLabel('Current password').first().waitFor({ state: 'detached' });
  expect(await other.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await other.barriers()).toEqual([]);
  expect(other.faults()).toEqual([]);
});
