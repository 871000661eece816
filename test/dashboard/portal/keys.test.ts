/** API keys in the portal: create, use, edit, rotate, disable, enable, revoke; and what each role can do. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember, createMemberWithPassword, type MemberWithPassword } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let member: MemberWithPassword;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  member = await createMemberWithPassword(platform, { role: 'DEVELOPER' });
  visit = await visitAsMember(browser, platform, member);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = (name?: string) => visit.page.getByRole('dialog', name === undefined ? {} : { name });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

async function saveSecret(): Promise<string> {
  const secret = await dialog()
    .getByText(/^sp_live_\w+\.\w+$/)
    .innerText();
  await checked('key-secret');
  await button('I have saved it').click();
  await dialog().waitFor({ state: 'detached' });
  return secret;
}

const statusOf = async (key: string): Promise<number> =>
  (await fetch(`${platform.restUrl}/api/v1/me`, { headers: { 'x-api-key': key } })).status;

test('a new account sees the next steps, and creates a key whose secret is displayed once', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('heading', { name: 'Next steps' }).waitFor();
  await checked('overview-new');
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByText('No API keys yet').waitFor();
  await checked('keys-empty');
  await page.getByRole('link', { name: 'Create API key' }).first().click();
  await page.getByLabel(/^Key name/).fill('website');
  // the plan free has no write scopes, and no scope of administrators is offered
  await page
    .getByRole('checkbox', { name: /minors:read/ })
    .first()
    .waitFor({ state: 'detached' });
  await page.getByLabel('Allowed networks').fill('not a network');
  await button('Create API key').click();
  await page.getByText(/^Line 1:/).waitFor();
  await checked('key-create');
  await page.getByLabel('Allowed networks').fill('');
  await button('Create API key').click();
  const secret = await saveSecret();
  await page.getByRole('heading', { level: 1, name: 'website' }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(await statusOf(secret)).toBe(200);
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await checked('key');
});

test('a developer edits, disables, enables, rotates and revokes a key', async () => {
  const { page } = visit;
  await button('Edit').click();
  await dialog('Edit API key')
    .getByLabel(/^Key name/)
    .fill('shop');
  await checked('key-edit');
  await button('Save').click();
  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  await button('Disable').click();
  await dialog().getByLabel(/^Type/).fill('shop');
  await checked('key-disable');
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await button('Enable').click();
  await button('Rotate').click();
  await dialog('Rotate API key').getByText('The new key has a new secret').waitFor();
  await checked('key-rotate');
  await dialog().getByRole('button', { name: 'Rotate' }).click();
  const secret = await saveSecret();
  expect(await statusOf(secret)).toBe(200);
  await page.getByText('Replaces', { exact: true }).waitFor();
  await button('Revoke').click();
  await dialog().getByLabel(/^Type/).fill('shop');
  await checked('key-revoke');
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('This API key was revoked').waitFor();
  await button('Edit').first().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByText('Being replaced').waitFor();
  await checked('keys');
});

test('a session that ends keeps the form: the user signs in again in a dialog', async () => {
  const { page } = visit;
  await page.goto('/portal/keys/create');
  await page.getByLabel(/^Key name/).fill('typed key');
  const ended = await member.fetch('/portal/sessions', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin' } });
  expect(ended.status).toBe(204);
  await button('Create API key').click();
  const signIn = dialog('Sign in again');
  await signIn.getByText(member.email).waitFor();
  await checked('session-ended');
  await signIn.getByLabel(/^Password/).fill(member.password);
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
  await signIn.waitFor({ state: 'detached' });
  await button('Create API key').click();
  await saveSecret();
  await page.getByRole('heading', { level: 1, name: 'typed key' }).waitFor();
  await page.goto('/portal');
  await page.getByRole('heading', { name: 'Quota' }).waitFor();
  await checked('overview');
});

test('a viewer reads keys and has no actions', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  const { page } = reading;
  await page.goto('/portal/keys');
  await page.getByRole('link', { name: 'typed key' }).click();
  await page.getByText('Your role has read-only access').waitFor();
  for (const name of ['Edit', 'Rotate', 'Disable', 'Revoke'])
    await page.getByRole('button', { name, exact: true }).first().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.goto('/portal/keys/create');
  await page.getByText('Your role has read-only access').waitFor();
  await button('Create API key').first().waitFor({ state: 'detached' });
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
});
