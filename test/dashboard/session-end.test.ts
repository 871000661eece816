/** A session that ends while a form is open: the administrator signs in again, and the form keeps what was typed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorWithPassword } from '../administrator.ts';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let administrator: AdministratorWithPassword;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  administrator = await platform.administratorWithPassword('ADMIN');
  visit = await visitAs(browser, platform, administrator);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const endSessions = () =>
  platform.administer('mutation ($id: ID!) { endAdministratorSessions(id: $id) { id } }', { id: administrator.id });

const signInDialog = () => visit.page.getByRole('dialog', { name: 'Sign in again' });

async function signInAgain(): Promise<void> {
  await signInDialog()
    .getByLabel(/^Password/)
    .fill(administrator.password);
  await signInDialog().getByRole('button', { name: 'Sign in', exact: true }).click();
  await signInDialog().waitFor({ state: 'detached' });
}

test('a screen with a form keeps its values, and saves them after the sign-in', async () => {
  const { page } = visit;
  await page.goto('/admin/keys/issue');
  await page.getByText('New account').click();
  await page.getByLabel('Account name').fill('Typed FC');
  await page.getByLabel(/^Key name/).fill('typed key');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^plenty/ }).click();
  await endSessions();
  await page.getByRole('button', { name: 'Issue API key' }).click();
  await signInDialog().waitFor();
  expect(await signInDialog().getByText(administrator.email).count()).toBe(1);
  await signInDialog().locator('input[type=password]:focus').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('session-ended');
  await signInDialog()
    .getByLabel(/^Password/)
    .fill('not the password');
  await signInDialog().getByRole('button', { name: 'Sign in', exact: true }).click();
  await signInDialog().getByRole('alert').waitFor();
  await signInAgain();
  expect(await page.getByLabel(/^Key name/).inputValue()).toBe('typed key');
  await page.getByRole('button', { name: 'Issue API key' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^sp_live_/)
    .waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { level: 1, name: 'typed key' }).waitFor();
});

test('a dialog keeps its values, also when Escape is pressed over it', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit API key' });
  await edit.getByLabel('Allowed networks').fill('10.0.0.0/8');
  await endSessions();
  await edit.getByRole('button', { name: 'Save' }).click();
  await signInDialog().waitFor();
  await page.keyboard.press('Escape');
  await signInAgain();
  expect(await edit.getByLabel('Allowed networks').inputValue()).toBe('10.0.0.0/8');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  await page.getByText('10.0.0.0/8').first().waitFor();
});

test('another administrator can sign in on the sign-in page instead', async () => {
  const { page } = visit;
  await endSessions();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await signInDialog().waitFor();
  await signInDialog().getByRole('button', { name: 'Use another account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  expect(visit.faults()).toEqual([]);
});
