/** Owners decide on the screen who administers; others see who does. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
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

test('an owner invites somebody by a link that is shown once and leads in', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill(hostile);
  await page
    .getByRole('dialog')
    .getByLabel(/^E-mail/)
    .fill('eve@example.com');
  await page.getByLabel('Moderator').check();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-invite');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByText(/\/admin\/setup#/).innerText();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-link');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await row('eve@example.com').innerText()).toMatch(/Moderator\s+Invited\s+Never/);
  expect(await row('eve@example.com').innerText()).toContain(hostile);

  const eve = await browser.visit(platform.graphqlUrl);
  await eve.page.goto(link);
  await eve.page.getByLabel(/^Password/).fill('a password of good length');
  await eve.page.getByRole('button', { name: 'Create and sign in' }).click();
  await eve.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await eve.close();
});

test('changes a role, ends sessions, disables by name and enables again', async () => {
  const { page } = owner;
  await page.reload();
  await choose(hostile, 'Change…');
  await page.getByLabel('Viewer').check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await row('eve@example.com').filter({ hasText: 'Viewer' }).waitFor();

  await choose(hostile, 'Sessions (1)…');
  await page.getByRole('button', { name: /^End the session/ }).waitFor();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-sessions');
  await page.getByRole('button', { name: 'End all' }).click();
  await page.getByText('No open session').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await choose(hostile, 'Disable…');
  await page.getByLabel('Why').fill('Left');
  await page.getByLabel(/to go on$/).fill(hostile);
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators-disable');
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await row('eve@example.com').filter({ hasText: 'Disabled' }).waitFor();
  await choose(hostile, 'Enable');
  await row('eve@example.com').filter({ hasText: 'Active' }).waitFor();
  await choose(hostile, 'New password link');
  await page.getByText(/\/admin\/setup#/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
});

test('the last owner is told why he stays one', async () => {
  const { page } = owner;
  await choose('Ada Example', 'Change…');
  await page.getByLabel('Viewer').check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText(/last active owner|last owner/i).waitFor();
  await page.keyboard.press('Escape');
});

test('the list is searched and narrowed by the URL', async () => {
  const { page } = owner;
  await page.goto('/admin/administrators?role=VIEWER&q=eve');
  await row('eve@example.com').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.goto('/admin/administrators?q=nobody-is-so-called');
  await page.getByText('Nobody is like that').waitFor();
  await page.goto('/admin/administrators');
  await row('eve@example.com').waitFor();
  expect(await owner.barriers()).toEqual([]);
  await owner.show('administrators');
  expect(owner.faults()).toEqual([]);
});

test('an admin sees the list, and no action', async () => {
  const admin = await visitAs(browser, platform, 'ADMIN');
  await admin.page.goto('/admin/administrators');
  await admin.page.getByRole('row').filter({ hasText: 'eve@example.com' }).waitFor();
  expect(await admin.page.getByRole('button', { name: /^(Invite|Actions for)/ }).count()).toBe(0);
  expect(await admin.barriers()).toEqual([]);
  await admin.close();
});
