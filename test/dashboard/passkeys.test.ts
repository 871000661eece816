/** Passkeys in the browser, at the pages of administrators and of portal users, with a virtual authenticator. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import { createMemberWithPassword } from '../member.ts';
import { setUpSecondFactor } from '../second-factor.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { addVirtualAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.ts';

let platform: TestPlatform;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  // an IP address is no relying party
  origin = platform.graphqlUrl.replace('127.0.0.1', 'localhost');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const applications = [
  ['/admin', '/own-account', 'Your account', () => platform.administratorWithPassword('OWNER')],
  ['/portal', '/profile', 'Your profile', () => createMemberWithPassword(platform)],
] as const;

describe.each(applications)('at %s', (base, path, title, createPerson) => {
  const name = base.slice(1);
  let visit: Visit;
  let person: Awaited<ReturnType<typeof createPerson>>;
  let authenticator: VirtualAuthenticator;
  beforeAll(async () => {
    person = await createPerson();
    visit = await browser.visit(origin, { width: 1440, height: 900 });
    authenticator = await addVirtualAuthenticator(visit.page);
    await visit.signIn(person);
    await visit.page.goto(`${base}${path}`);
  });

  const heading = (text: string) => visit.page.getByRole('heading', { level: 1, name: text });
  const dialog = () => visit.page.getByRole('dialog');
  const passkeyButton = () => visit.page.getByRole('button', { name: 'Sign in with a passkey' });

  async function checked(picture: string): Promise<void> {
    expect(await visit.barriers()).toEqual([]);
    await visit.show(`${name}-${picture}`);
    expect(visit.faults()).toEqual([]);
  }

  async function signOut(): Promise<void> {
    await visit.page.context().clearCookies();
    await visit.page.goto(base);
    await heading('Sign in').waitFor();
  }

  test('a person adds a passkey with the password and a name', async () => {
    const { page } = visit;
    await heading(title).waitFor();
    await page.getByText('No passkeys yet').waitFor();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    expect(await dialog().getByLabel('Name').inputValue()).toContain('Chrome');
    await checked('passkey-registration');
    await dialog().getByLabel('Name').fill('Work laptop');
    await dialog().getByLabel('Current password').fill('not the password');
    await dialog().getByRole('button', { name: 'Continue' }).click();
    await dialog().getByText('Wrong current password.').waitFor();
    await dialog().getByLabel('Current password').fill(person.password);
    await dialog().getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Work laptop').waitFor();
    await page.getByText('Never', { exact: true }).waitFor();
    expect(await authenticator.credentials()).toBe(1);
    await page.getByText('Passkey Work laptop added').waitFor({ state: 'detached' });
    await checked('passkeys');
  });

  test('the passkey signs in without an address, a password and a code', async () => {
    await setUpSecondFactor(platform.graphqlUrl, base, person);
    await signOut();
    await passkeyButton().waitFor();
    await checked('passkey-sign-in');
    await passkeyButton().click();
    await heading('Overview').waitFor();
    await visit.page.goto(`${base}${path}`);
    await visit.page.getByRole('table', { name: 'Passkeys' }).getByText('Work laptop').waitFor();
    await visit.page.getByText('Never', { exact: true }).waitFor({ state: 'detached' });
    await visit.page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog().getByLabel(/^Code/).waitFor();
    await visit.page.keyboard.press('Escape');
    expect(visit.faults()).toEqual([]);
  });

  test('an ended session continues with the passkey in the dialog', async () => {
    const { page } = visit;
    await page.goto(`${base}${path}`);
    await heading(title).waitFor();
    await page.context().clearCookies();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole('button', { name: 'Sign out everywhere' }).waitFor();
    await page.getByLabel('New password').fill('kept while signed out');
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await passkeyButton().click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('New password').inputValue()).toBe('kept while signed out');
    expect(visit.faults()).toEqual([]);
  });

  test('a request that the person does not confirm displays a message', async () => {
    await signOut();
    await authenticator.setVerified(false);
    await passkeyButton().click();
    await visit.page.getByText('No passkey was selected. Try again.').waitFor();
    await checked('passkey-canceled');
    await authenticator.setVerified(true);
    await passkeyButton().click();
    await heading('Overview').waitFor();
  });

  test('a removed passkey signs in no longer', async () => {
    const { page } = visit;
    await page.goto(`${base}${path}`);
    await page.getByRole('button', { name: 'Remove passkey: Work laptop' }).click();
    await dialog().getByLabel('Type Work laptop to confirm').fill('Work laptop');
    await checked('passkey-removal');
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No passkeys yet').waitFor();
    await signOut();
    await passkeyButton().click();
    await page.getByText('The passkey was not accepted. Try again, or sign in with your password.').waitFor();
    expect(visit.faults()).toEqual([]);
  });

  test('at an IP address the pages name the address at which passkeys work', async () => {
    const other = await browser.visit(platform.graphqlUrl, { width: 390, height: 844 });
    await other.page.goto(`${base}/sign-in`);
    const link = other.page.getByRole('link', { name: new URL(origin).host });
    expect(await link.getAttribute('href')).toBe(`${origin}${base}`);
    expect(await other.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    expect(await other.barriers()).toEqual([]);
    await other.show(`${name}-passkey-address`);
    await other.signIn(await createPerson());
    await other.page.goto(`${base}${path}`);
    await link.waitFor();
    expect(await other.page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    expect(await other.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(other.faults()).toEqual([]);
  });
});
