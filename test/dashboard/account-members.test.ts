/** The members of an account in the dashboard: invite, withdraw, change the role, remove. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createAccount, createMember } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let accountId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
  accountId = await createAccount(platform.administer, 'Northern Scouting');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = (name?: string) => visit.page.getByRole('dialog', name === undefined ? {} : { name });

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('invites the first owner with a link that is displayed once, and withdraws the invitation', async () => {
  const { page } = visit;
  await page.goto(`/admin/accounts/${accountId}`);
  await page.getByText('No members yet').waitFor();
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  await dialog('Invite member').getByLabel('Email').fill('ada@partner.example');
  expect(await dialog().getByRole('radio', { name: 'Owner' }).isChecked()).toBe(true);
  await capture('account-invite');
  await dialog().getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog('Invitation link').getByText('/portal/setup#').innerText();
  await capture('account-invitation-link');
  await dialog().getByRole('button', { name: 'I have saved it' }).click();
  const open = page.getByRole('table', { name: 'Open invitations' });
  await open.getByText('Ada Example').waitFor();
  const invited = await browser.visit(platform.graphqlUrl);
  await invited.page.goto(new URL(link).pathname + new URL(link).hash);
  await invited.page.getByText('Your role is owner').waitFor();
  await page.getByRole('button', { name: 'Withdraw the invitation of ada@partner.example' }).click();
  await dialog('Withdraw this invitation?').getByRole('button', { name: 'Withdraw' }).click();
  await open.waitFor({ state: 'detached' });
  await invited.page.reload();
  await invited.page.getByText('This link has expired or was already used').waitFor();
  await invited.close();
});

test('reports an address that is a member already', async () => {
  const { page } = visit;
  const owner = await createMember(platform, { role: 'OWNER', accountId });
  await page.reload();
  await page.getByRole('table', { name: 'Members' }).getByText(owner.email).waitFor();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await dialog().getByLabel('Email').fill(owner.email);
  await dialog().getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText(/already a member/).waitFor();
  await page.keyboard.press('Escape');
});

test('changes the role of a member, removes a member, and keeps the last owner', async () => {
  const { page } = visit;
  const member = await createMember(platform, { role: 'DEVELOPER', accountId });
  const { name } = (await member.run('{ member { user { name } } }')).member.user;
  await page.reload();
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: member.email });
  await row.getByText('Developer').waitFor();
  await capture('account-members');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await dialog(`Role of ${name}`).getByRole('radio', { name: 'Viewer' }).check();
  await capture('account-member-role');
  await dialog().getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Viewer').waitFor();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog('Remove this member?').getByLabel(/^Type/).fill(name);
  await capture('account-member-remove');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await member.codeOf('{ member { role } }')).toBe('account_unavailable');

  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await dialog().getByRole('radio', { name: 'Viewer' }).check();
  await dialog().getByRole('button', { name: 'Change role' }).click();
  await page.getByText('This member is the last owner of the account.').waitFor();
});

test('a viewer reads the members without actions', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER', { width: 390, height: 844 });
  await viewer.page.goto(`/admin/accounts/${accountId}`);
  await viewer.page.getByRole('table', { name: 'Members' }).getByRole('link').waitFor();
  await viewer.page
    .getByRole('button', { name: /^(Invite member|Actions for)/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await viewer.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await viewer.close();
});

test('all dialogs are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
