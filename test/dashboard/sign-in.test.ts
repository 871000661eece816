/** Sign-in, setup links, password changes and sign-out in the browser. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { invite } from '../administrator.ts';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: Visit;

const email = 'grace@example.com';
const password = 'seven horses on a hill';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await browser.visit(platform.graphqlUrl);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

async function signIn({ page }: Visit, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

test('the sign-in page explains the setup link while no administrator exists', async () => {
  await visit.page.goto('/admin');
  await visit.page.getByText('npm run admin -- setup').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('sign-in-first');
});

test('a setup link sets the password and opens the overview', async () => {
  const { token } = await invite(platform.administer, 'OWNER', email, 'Grace Example');
  const { page } = visit;
  await page.goto(`/admin/setup#${token}`);
  await page.getByLabel(/^Password/).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('setup');
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Create account and sign in' }).click();
  await heading('Overview').waitFor();
  expect(page.url()).not.toContain(token);

  const second = await browser.visit(platform.graphqlUrl);
  await second.page.goto(`/admin/setup#${token}`);
  await second.page.getByText('This link has expired or was already used').waitFor();
  expect(await second.barriers()).toEqual([]);
  await second.show('setup-used');
  await second.close();
});

test('signing out returns to the sign-in, and a wrong password is rejected', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: /Grace Example/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
  await signIn(visit, 'not the password');
  await page.getByRole('alert').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('sign-in-rejected');
});

test('an ended session redirects to the sign-in and back', async () => {
  const { page } = visit;
  await signIn(visit);
  await heading('Overview').waitFor();
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('cell', { name: 'starter' }).first().waitFor();
  await platform.administer('mutation ($id: ID!) { endAdministratorSessions(id: $id) { id } }', { id: await ownId() });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.goto('/admin/plans?q=pro');
  await page.getByText('You are signed out, or your session has expired.').waitFor();
  await signIn(visit);
  await heading('Plans').waitFor();
  expect(page.url()).toMatch(/\/admin\/plans\?q=pro$/);
});

test('reports a browser that does not store the cookie', async () => {
  const bare = await browser.visit(platform.graphqlUrl);
  await bare.page.route('**/admin/session', async (route) => {
    const response = await route.fetch();
    const { 'set-cookie': _, ...headers } = response.headers();
    // route.fetch() stored the cookie
    await bare.page.context().clearCookies();
    await route.fulfill({ response, headers });
  });
  await bare.page.goto('/admin/sign-in');
  await signIn(bare);
  await bare.page.getByText('Your browser did not store the session cookie').waitFor();
  await bare.close();
});

test('changes the password on the account screen', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: /Grace Example/ }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('nine horses on a hill');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('own-account');
});

test('sets up the second factor on the account screen', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: 'Set up second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('nine horses on a hill');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Not set up').waitFor();
});

test('repeated wrong passwords display the waiting time', async () => {
  const guesser = await browser.visit(platform.graphqlUrl);
  await guesser.page.goto('/admin/sign-in');
  await guesser.page.getByLabel('Email').waitFor();
  const message = guesser.page.getByText('Too many attempts. Try again in');
  for (let attempt = 0; attempt < 12 && !(await message.isVisible()); attempt++) {
    const response = guesser.page.waitForResponse('**/admin/session');
    await signIn(guesser, `guess ${attempt}`);
    await response;
    await guesser.page.getByRole('alert').waitFor();
  }
  await message.waitFor();
  await guesser.show('sign-in-throttled');
  await guesser.close();
});

test('signs out of all sessions', async () => {
  const { page } = visit;
  await page.reload();
  await page.getByText('Current', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading('Sign in').waitFor();
});

test('the return path of the sign-in cannot leave the dashboard, also with a provider', async () => {
  // the discard port has no listener
  const provider = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: null, name: 'Example ID', newcomerRole: null };
  const other = await openTestPlatform({ oidc: provider });
  const visitor = await browser.visit(other.graphqlUrl);
  try {
    const owner = await other.administrator('OWNER');
    await visitor.page.goto(`/admin/sign-in?back=${encodeURIComponent('https://elsewhere.example/admin')}`);
    await visitor.page.getByRole('link', { name: 'Sign in with Example ID' }).click();
    await visitor.page.getByText('Sign-in with Example ID failed').waitFor();
    // simulates a successful sign-in with the provider
    await visitor.signIn(owner);
    await visitor.page.goto('/admin');
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(visitor.page.url()).toBe(`${other.graphqlUrl}/admin`);
  } finally {
    await visitor.close();
    await other.close();
  }
});

test('sends no requests to other hosts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});

async function ownId(): Promise<string> {
  const { administrators } = await platform.administer('{ administrators { nodes { id } } }');
  return (administrators as { nodes: { id: string }[] }).nodes[0]?.id ?? '';
}
