/** Members and invitations in the portal. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = (name?: string) => visit.page.getByRole('dialog', name === undefined ? {} : { name });

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('an owner invites a colleague with a link that is displayed once, and withdraws the invitation', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.getByText('No open invitations').waitFor();
  await page.getByText('You are the last owner').waitFor();
  await page.getByRole('button', { name: 'Invite member' }).click();
  await dialog('Invite member').getByLabel('Email').fill('colleague@partner.example');
  await dialog().getByRole('radio', { name: 'Viewer' }).check();
  await checked('invite-member');
  await dialog().getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog('Invitation link').getByText('/portal/setup#').innerText();
  await checked('invitation-link');
  await dialog().getByRole('button', { name: 'I have saved it' }).click();
  const open = page.getByRole('table', { name: 'Open invitations' });
  await open.getByText('colleague@partner.example').waitFor();
  const invited = await browser.visit(platform.graphqlUrl);
  await invited.page.goto(new URL(link).pathname + new URL(link).hash);
  await invited.page.getByText('Your role is viewer').waitFor();
  await page.getByRole('button', { name: 'Withdraw the invitation of colleague@partner.example' }).click();
  await dialog('Withdraw this invitation?').waitFor();
  await checked('member-withdraw');
  await dialog('Withdraw this invitation?').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('No open invitations').waitFor();
  await invited.page.reload();
  await invited.page.getByText('This link has expired or was already used').waitFor();
});

test('an owner changes the role of a member and removes a member', async () => {
  const { page, member } = visit;
  const second = await createMember(platform, { role: 'DEVELOPER', accountId: member.accountId });
  const { name } = (await second.run('{ member { user { name } } }')).member.user;
  await page.reload();
  const row = page.getByRole('row', { name: new RegExp(second.email) });
  await row.getByText('Developer').waitFor();
  await checked('members');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await dialog(`Role of ${name}`).getByRole('radio', { name: 'Owner' }).check();
  await checked('member-role');
  await dialog().getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Owner').waitFor();
  await page.getByRole('button', { name: 'Leave account' }).waitFor();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog('Remove this member?').getByLabel(/^Type/).fill(name);
  await checked('member-remove');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await second.codeOf('{ member { role } }')).toBe('account_unavailable');
});

test('a viewer sees the members without actions, and leaves the account', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: visit.member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  const { page } = reading;
  await page.goto('/portal/members');
  await page.getByText('Only owners can manage members').waitFor();
  await page.getByText(visit.member.email).waitFor();
  await page.getByText('Open invitations').first().waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  await page.getByRole('button', { name: 'Leave account' }).click();
  const { name } = (await visit.member.run('{ member { account { name } } }')).member.account;
  const leave = page.getByRole('dialog', { name: 'Leave this account?' });
  await leave.getByLabel(/^Type/).fill(name);
  expect(await reading.barriers()).toEqual([]);
  await leave.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'No account' }).waitFor();
  expect(await reading.barriers()).toEqual([]);
  await reading.show('portal-no-account');
  expect(reading.faults()).toEqual([]);
});
