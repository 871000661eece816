/** The screen of announcements: create, read, edit with a conflict, publish, end the publication, delete. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createMember, type MemberClient } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let member: MemberClient;

const title = 'New <b>rankings</b>';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
  member = await createMember(platform, { role: 'VIEWER' });
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');
const row = (text: string) => visit.page.getByRole('row').filter({ hasText: text });
const published = async (): Promise<unknown> =>
  (await member.run('{ announcements { nodes { title text } } }')).announcements.nodes;

async function choose(action: string): Promise<void> {
  await button(`Actions for ${title}`).click();
  await visit.page.getByRole('menuitem', { name: action }).click();
}

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  // a timestamp below the pointer would display its tooltip
  await visit.page.mouse.move(0, 0);
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

test('creates a scheduled announcement, which users of the portal do not read yet', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Announcements', exact: true }).click();
  await page.getByText('No announcements yet').waitFor();
  await capture('announcements-none');
  await button('Create announcement').first().click();
  await dialog().getByLabel('Title').fill(title);
  await dialog().getByLabel('Text').fill('Rankings have a history.\n\nRead the guide.');
  await dialog().getByLabel('Start of publication (UTC)').fill('2041-05-01T04:00');
  await dialog().getByLabel('End of publication (UTC)').fill('2041-05-01T03:00');
  await button('Create').click();
  await dialog().getByText('The end must be after the start.').waitFor();
  await capture('announcement-create');
  await dialog().getByLabel('End of publication (UTC)').fill('2041-06-01T04:00');
  await button('Create').click();
  await dialog().waitFor({ state: 'detached' });
  await row(title).getByText('Scheduled').waitFor();
  expect(await published()).toEqual([]);
});

test('publishes it now, and displays the complete text in a drawer with its own URL', async () => {
  const { page } = visit;
  await choose('Publish now');
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await row(title).getByText('Published').waitFor();
  expect(await published()).toEqual([{ title, text: 'Rankings have a history.\n\nRead the guide.' }]);
  await capture('announcements');
  await page.getByRole('link', { name: title }).click();
  await page.waitForURL(/announcement=/);
  await page.reload();
  await dialog().getByText('Read the guide.').waitFor();
  await dialog().getByText('2041-06-01 04:00 UTC').first().waitFor();
  await dialog().getByRole('table', { name: 'History' }).getByText('Updated').waitFor();
  await capture('announcement');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.waitForURL(/announcements$/);
});

test('a concurrent change is reported with the differences, and not overwritten', async () => {
  await choose('Edit');
  const { data } = await visit.signedIn.run('{ allAnnouncements { nodes { id } } }');
  await platform.administer(
    'mutation ($id: ID!) { updateAnnouncement(id: $id, ifMatch: "*", input: { text: "Changed." }) { id } }',
    { id: data.allAnnouncements.nodes[0].id },
  );
  await dialog().getByLabel('Text').fill('Mine.');
  await button('Save').click();
  await dialog().getByRole('table', { name: 'Differences' }).getByText('Changed.').waitFor();
  await capture('announcement-conflict');
  await button('Load latest version').click();
  await dialog().getByRole('table', { name: 'Differences' }).waitFor({ state: 'detached' });
  expect(await dialog().getByLabel('Text').inputValue()).toBe('Changed.');
  await dialog().getByLabel('Text').fill('Edited.');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
  expect(await published()).toEqual([{ title, text: 'Edited.' }]);
});

test('ends the publication and deletes the announcement', async () => {
  const { page } = visit;
  await choose('End publication');
  await capture('announcement-end');
  await dialog().getByRole('button', { name: 'End publication' }).click();
  await row(title).getByText('Ended').waitFor();
  expect(await published()).toEqual([]);
  await choose('Publish now');
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await row(title).getByText('None').waitFor();
  await choose('Delete');
  await dialog()
    .getByLabel(/to confirm$/)
    .fill(title);
  await capture('announcement-delete');
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No announcements yet').waitFor();
  expect(await published()).toEqual([]);
});

test('a viewer reads announcements and has no actions', async () => {
  await platform.administer('mutation { createAnnouncement(input: { title: "Maintenance", text: "On Monday." }) { id } }');
  const viewer = await visitAs(browser, platform, 'VIEWER', { width: 390, height: 844 });
  const { page } = viewer;
  await page.goto('/admin/announcements');
  await page.getByText('Your role has read-only access.').waitFor();
  await page.getByRole('link', { name: 'Maintenance' }).click();
  await page.getByRole('dialog').getByText('On Monday.').waitFor();
  await page
    .getByRole('button', { name: /^(Create announcement|Actions for)/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await viewer.barriers()).toEqual([]);
  await viewer.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
