/** The administrator screen: owners invite, edit and disable; other roles have read-only access. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { setUpSecondFactor } from '../second-factor.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let owner: SignedInVisit;

const hostile = '<script>alert(1)</script> "Eve"';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await visitAs(browser, platform, 'OWNER');
  await owner.page.goto('/admin/administrators');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const row = (text: string) => owner.page.getByRole('row').filter({ hasText: text });

async function choose(name: string, action: string | RegExp): Promise<void> {
  await owner.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await owner.page.getByRole('menuitem', { name: action }).click();
}

test('an owner invites an administrator with a link that is displayed once', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: 'Invite administrator' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill(hostile);
  await page
    .getByRole('dialog')
    .getByLabel(/^Email/)
    .fill('eve@example.com');
  await page.getByLabel('Moderator').check();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-invite');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invitation' }).click();
  const link = await page.getByText(/\/admin\/setup#/).innerText();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-link');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await row('eve@example.com').innerText()).toMatch(/Moderator\s+Invited\s+Never/);
  expect(await row('eve@example.com').innerText()).toContain(hostile);

  const eve = await browser.visit(platform.graphqlUrl);
  await eve.page.goto(link);
  await eve.page.getByLabel(/^Password/).fill('a password of good length');
  await eve.page.getByRole('button', { name: 'Create account and sign in' }).click();
  await eve.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await eve.close();
});

test('changes a role, ends sessions, disables and enables an administrator', async () => {
  const { page } = owner;
  await page.reload();
  await choose(hostile, 'Edit');
  await page.getByLabel('Viewer').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await row('eve@example.com').filter({ hasText: 'Viewer' }).waitFor();

  await choose(hostile, 'Sessions (1)');
  await page.getByRole('button', { name: /^End session/ }).waitFor();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-sessions');
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByText('No active sessions').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await choose(hostile, 'Disable');
  await page.getByLabel('Reason').fill('Left');
  await page.getByLabel(/to confirm$/).fill(hostile);
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-disable');
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await row('eve@example.com').filter({ hasText: 'Disabled' }).waitFor();
  await choose(hostile, 'Enable');
  await row('eve@example.com').filter({ hasText: 'Active' }).waitFor();
  await choose(hostile, 'Create password reset link');
  await page.getByText(/\/admin\/setup#/).waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
});

test('removes the second factor of an administrator who lost it', async () => {
  const { page } = owner;
  const locked = await platform.administratorWithPassword('ADMIN');
  await setUpSecondFactor(platform.graphqlUrl, '/admin', locked);
  await platform.administer(
    'mutation ($id: ID!) { updateAdministrator(id: $id, ifMatch: "*", input: { name: "Grace Locked" }) { id } }',
    { id: locked.id },
  );
  await page.reload();
  await row(locked.email).getByText('Yes', { exact: true }).waitFor();
  await choose('Grace Locked', 'Remove second factor');
  await page.getByLabel(/to confirm$/).fill('Grace Locked');
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-second-factor');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row(locked.email).getByText('No', { exact: true }).waitFor();
  expect((await locked.graphql('{ administrators { nodes { id } } }')).status).toBe(401);
});

test('erases a disabled administrator, whose row then has no actions', async () => {
  const { page } = owner;
  const { id } = await platform.administrator('VIEWER');
  await platform.administer(
    'mutation ($id: ID!) { updateAdministrator(id: $id, ifMatch: "*", input: { name: "Linus Left" }) { id } }',
    { id },
  );
  await platform.administer('mutation ($id: ID!) { disableAdministrator(id: $id) { id } }', { id });
  await page.reload();
  await choose('Linus Left', 'Erase');
  await page.getByLabel(/to confirm$/).fill('Linus Left');
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-erase');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await row(`${id}@erased.invalid`).getByText('Erased administrator').waitFor();
  expect(await page.getByRole('button', { name: 'Actions for Erased administrator' }).count()).toBe(0);
});

test('rejects a role change of the last owner with a reason', async () => {
  const { page } = owner;
  await choose('Ada Example', 'Edit');
  await page.getByLabel('Viewer').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/last active owner|last owner/i).waitFor();
  await page.keyboard.press('Escape');
});

test('searches and filters the list by the URL', async () => {
  const { page } = owner;
  await page.goto('/admin/administrators?role=VIEWER&q=eve');
  await row('eve@example.com').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.goto('/admin/administrators?q=no-such-name');
  await page.getByText('No matching administrators').waitFor();
  await page.goto('/admin/administrators');
  await row('eve@example.com').waitFor();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators');
  expect(owner.faults()).toEqual([]);
});

test('an admin sees the list without actions', async () => {
  const admin = await visitAs(browser, platform, 'ADMIN');
  await admin.page.goto('/admin/administrators');
  await admin.page.getByRole('row').filter({ hasText: 'eve@example.com' }).waitFor();
  await admin.page
    .getByRole('button', { name: /^(Invite administrator|Actions for)/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await admin.barriers()).toEqual([]);
  await admin.close();
});
