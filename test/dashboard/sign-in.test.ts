/** How administrators come in and go out, before a browser. */
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
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

test('before anybody administers, the sign-in says where the setup link is', async () => {
  await visit.page.goto('/admin');
  await visit.page.getByText('npm run admin -- setup').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('sign-in-first');
});

test('a setup link leads to a password and on to the overview', async () => {
  const { token } = await invite(platform.administer, 'OWNER', email, 'Grace Example');
  const { page } = visit;
  await page.goto(`/admin/setup#${token}`);
  await page.getByLabel(/^Password/).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('setup');
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Create and sign in' }).click();
  await heading('Overview').waitFor();
  expect(page.url()).not.toContain(token);

  const late = await browser.visit(platform.graphqlUrl);
  await late.page.goto(`/admin/setup#${token}`);
  await late.page.getByText('This link was used, or its time is over').waitFor();
  expect(await late.barriers()).toEqual([]);
  await late.show('setup-used');
  await late.close();
});

test('who signs out sees the sign-in, and a wrong password gets him nowhere', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: /Grace Example/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
  await signIn(visit, 'not the password');
  await page.getByRole('alert').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('sign-in-refused');
});

test('whose session ends is led to the sign-in, and back to where he was', async () => {
  const { page } = visit;
  await signIn(visit);
  await heading('Overview').waitFor();
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('cell', { name: 'starter' }).first().waitFor();
  await platform.administer('mutation ($id: ID!) { endAdministratorSessions(id: $id) { id } }', { id: await ownId() });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.goto('/admin/plans?q=pro');
  await page.getByText('there is no session, or it has ended').waitFor();
  await signIn(visit);
  await heading('Plans').waitFor();
  expect(page.url()).toMatch(/\/admin\/plans\?q=pro$/);
});

test('a browser that keeps no cookie is told so', async () => {
  const bare = await browser.visit(platform.graphqlUrl);
  await bare.page.route('**/admin/session', async (route) => {
    const answer = await route.fetch();
    const { 'set-cookie': _, ...headers } = answer.headers();
    // the browser that fetched kept it
    await bare.page.context().clearCookies();
    await route.fulfill({ response: answer, headers });
  });
  await bare.page.goto('/admin/sign-in');
  await signIn(bare);
  await bare.page.getByText('Your browser did not keep the session').waitFor();
  await bare.close();
});

test('the password is changed where the own account is shown, and faults stand at their fields', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: /Grace Example/ }).click();
  await page.getByRole('menuitem', { name: 'Own account' }).click();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('nine horses on a hill');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Password changed').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('own-account');
});

test('who guesses on is told how long to wait', async () => {
  const guesser = await browser.visit(platform.graphqlUrl);
  await guesser.page.goto('/admin/sign-in');
  await guesser.page.getByLabel('E-mail').waitFor();
  const waits = guesser.page.getByText('Too many attempts. Try again in');
  for (let attempt = 0; attempt < 12 && !(await waits.isVisible()); attempt++) {
    const answered = guesser.page.waitForResponse('**/admin/session');
    await signIn(guesser, `guess ${attempt}`);
    await answered;
    await guesser.page.getByRole('alert').waitFor();
  }
  await waits.waitFor();
  await guesser.show('sign-in-throttled');
  await guesser.close();
});

test('signing out everywhere ends the other browser too', async () => {
  const { page } = visit;
  await page.reload();
  await page.getByText('This one').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading('Sign in').waitFor();
});

test('a link to the sign-in leads nowhere but below the dashboard, also by the provider', async () => {
  // a port of the discard protocol, on which nobody listens
  const provider = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: null, name: 'Away', newcomerRole: null };
  const other = await openTestPlatform({ oidc: provider });
  const led = await browser.visit(other.graphqlUrl);
  try {
    const owner = await other.administrator('OWNER');
    await led.page.goto(`/admin/sign-in?back=${encodeURIComponent('https://elsewhere.example/admin')}`);
    await led.page.getByRole('link', { name: 'Sign in with Away' }).click();
    await led.page.getByText('Away did not sign you in').waitFor();
    // as if the provider had vouched for them
    await led.signIn(owner);
    await led.page.goto('/admin');
    await led.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(led.page.url()).toBe(`${other.graphqlUrl}/admin`);
  } finally {
    await led.close();
    await other.close();
  }
});

test('none of it asked another host or met the policy of the page', () => {
  expect(visit.faults()).toEqual([]);
});

async function ownId(): Promise<string> {
  const { administrators } = await platform.administer('{ administrators { nodes { id } } }');
  return (administrators as { nodes: { id: string }[] }).nodes[0]?.id ?? '';
}
