/** Sign-in, registration and setup links of the portal in the browser. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { codeOf, stepAt } from '../../../subgraphs/accounts/sign-in/totp.ts';
import { openBrowser, type Browser, type Visit } from '../../browser.ts';
import { createAccount, createMemberWithPassword, inviteUser, postSameOrigin, type MemberWithPassword } from '../../member.ts';
import { client, openProvider, type LocalProvider } from '../../oidc-provider.ts';
import { bytesOf } from '../../stories/portal/base32.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let provider: LocalProvider;

beforeAll(async () => {
  provider = await openProvider();
  const portalOidc = { ...client, issuer: provider.issuer, name: 'Example ID', newcomerRole: null };
  [platform, browser] = await Promise.all([openTestPlatform({ portalOidc, registration: true }), openBrowser()]);
  provider.register(`${platform.graphqlUrl}/portal/oidc/callback`);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
  await provider.close();
});

async function checked(visit: Visit, name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

async function fillSignIn({ page }: Visit, { email, password }: MemberWithPassword): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const overview = ({ page }: Visit) => page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

/** Adds a second factor. Returns the next accepted code. */
async function addSecondFactor({ cookie, password }: MemberWithPassword): Promise<string> {
  const post = (path: string, body: unknown) =>
    postSameOrigin(platform.graphqlUrl, `/portal/second-factor${path}`, body, { cookie, 'x-forwarded-for': '192.0.2.77' });
  const { secret } = (await post('', { current: password })).body;
  const code = () => codeOf(bytesOf(secret), stepAt(Date.now()));
  expect((await post('/confirmation', { code: code() })).status).toBe(200);
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  await database.query('update accounts.second_factor set last_step = 0');
  await database.end();
  return code();
}

test('the sign-in asks for a password, then for the code of the second factor', async () => {
  const member = await createMemberWithPassword(platform);
  const code = await addSecondFactor(member);
  const visit = await browser.visit(platform.graphqlUrl);
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.getByRole('link', { name: 'Create an account' }).waitFor();
  await checked(visit, 'sign-in');
  await fillSignIn(visit, member);
  await page.getByLabel(/^Code/).waitFor();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  await page.getByLabel(/^Code/).fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await checked(visit, 'sign-in-code');
  await page.getByLabel(/^Code/).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await overview(visit);
});

test('anyone registers where the operator allows it', async () => {
  const visit = await browser.visit(platform.graphqlUrl);
  const { page } = visit;
  await page.goto('/portal/register');
  await page.getByLabel('Organization').fill('FC Register');
  await page.getByLabel('Your name').fill('Rita Register');
  await page.getByLabel('Email').fill('rita@register.example');
  await page.getByLabel(/^Password/).fill('correct horse battery staple');
  await checked(visit, 'register');
  await page.getByRole('button', { name: 'Create account' }).click();
  await overview(visit);
  await page.getByText('FC Register').first().waitFor();
  expect(visit.faults()).toEqual([]);
});

test('a new user accepts an invitation and sets a password', async () => {
  const account = await createAccount(platform.administer, 'FC Invite');
  const token = await inviteUser(platform.administer, account, 'nora@invite.example', 'DEVELOPER');
  const visit = await browser.visit(platform.graphqlUrl, { width: 390, height: 844 });
  const { page } = visit;
  await page.goto(`/portal/setup#${token}`);
  await page.getByRole('heading', { level: 1, name: 'Join FC Invite' }).waitFor();
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
  await checked(visit, 'invitation');
  await page.getByLabel('Name').fill('Nora');
  await page.getByLabel(/^Password/).fill('correct horse battery');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await overview(visit);
  await page.goto(`/portal/setup#${token}`);
  await page.reload();
  await page.getByText('You are signed in. This link was used or has expired.').waitFor();
  const other = await browser.visit(platform.graphqlUrl, { width: 390, height: 844 });
  await other.page.goto(`/portal/setup#${token}`);
  await other.page.getByText('This link has expired or was already used').waitFor();
  await checked(other, 'invitation-used');
});

test('a known user signs in on the page of the invitation, and joins the account', async () => {
  const member = await createMemberWithPassword(platform);
  const account = await createAccount(platform.administer, 'Second FC');
  const token = await inviteUser(platform.administer, account, member.email, 'VIEWER');
  const visit = await browser.visit(platform.graphqlUrl);
  const { page } = visit;
  await page.goto(`/portal/setup#${token}`);
  await page.getByRole('button', { name: 'I have a password for the portal' }).click();
  await page.getByText('Sign in to accept the invitation').waitFor();
  await checked(visit, 'invitation-known-user');
  await page.getByLabel(/^Password/).fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('You are signed in as').waitFor();
  await checked(visit, 'invitation-join');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await overview(visit);
  expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe('Second FC');
});

test('a user with another address is asked to sign out', async () => {
  const invited = await createMemberWithPassword(platform);
  const account = await createAccount(platform.administer, 'Third FC');
  const token = await inviteUser(platform.administer, account, invited.email, 'VIEWER');
  const visit = await visitAsMember(browser, platform, 'OWNER');
  await visit.page.goto(`/portal/setup#${token}`);
  await visit.page.getByText('Sign out, then sign in with the invited address').waitFor();
  await checked(visit, 'invitation-other-user');
  await visit.page.getByRole('button', { name: 'Sign out' }).click();
  await visit.page.getByRole('button', { name: 'I have a password for the portal' }).waitFor();
});

test('a link of an administrator sets a new password', async () => {
  const member = await createMemberWithPassword(platform);
  const { resetPortalUser } = await platform.administer('mutation ($id: ID!) { resetPortalUser(id: $id) { setupPath } }', {
    id: member.userId,
  });
  const { setupPath } = resetPortalUser as { setupPath: string };
  const visit = await browser.visit(platform.graphqlUrl);
  await visit.page.goto(setupPath);
  await visit.page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
  await checked(visit, 'new-password');
  await visit.page.getByLabel(/^Password/).fill('another horse battery');
  await visit.page.getByRole('button', { name: 'Set password and sign in' }).click();
  await overview(visit);
});

test('a provider signs in, and an invitation of a known user is accepted afterwards', async () => {
  const email = 'olga@provider.example';
  provider.setNextUser({ sub: 'olga', email, email_verified: true, name: 'Olga' });
  const first = await createAccount(platform.administer, 'Provider FC');
  await inviteUser(platform.administer, first, email, 'OWNER');
  const { page } = await browser.visit(platform.graphqlUrl);
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const second = await createAccount(platform.administer, 'Branch FC');
  const token = await inviteUser(platform.administer, second, email, 'DEVELOPER');
  await page.getByRole('button', { name: 'Olga' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.goto(`/portal/setup#${token}`);
  await page.getByRole('heading', { level: 1, name: 'Join Branch FC' }).waitFor();
  provider.setNextUser({ sub: 'olga', email, email_verified: true, name: 'Olga' });
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByText('You are signed in as').waitFor();
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe('Branch FC');
});
