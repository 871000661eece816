/** The command palette: its shortcut and button, the results of each kind, and the keyboard. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createAdult, createClub } from '../stories/organizations/clubs.ts';
import { createMember } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let publicId: string;
let clubId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  const document = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { publicId } } }';
  const input = { accountName: 'Zebra Scouting', name: 'Zebra production', plan: 'pro', scopes: [] };
  publicId = ((await platform.administer(document, { input }))['issueApiKey'] as { apiKey: { publicId: string } }).apiKey
    .publicId;
  const owner = await platform.account({ account: 'Owner' });
  clubId = (await createClub(owner, { name: 'Zebra FC' })).id;
  await createAdult(owner, { displayName: 'Zebra Runner', sports: [{ sport: 'SWIMMING' }] });
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const field = () => visit.page.getByRole('combobox', { name: /^Screen, API key/ });
const option = (name: string) => visit.page.getByRole('option', { name: new RegExp(`^${name}`) });

/** Opens the palette with the shortcut and types a text. */
async function search(text: string): Promise<void> {
  await visit.page.keyboard.press('Control+k');
  await field().fill(text);
}

test('the shortcut opens it, and Enter opens the first screen and focuses its heading', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await heading('Overview').waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await heading('Audit log').waitFor();
  await page.locator('h1:focus').waitFor();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
});

test('Escape closes it and returns the focus to the button', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: 'Search and open' }).click();
  await field().waitFor();
  await page.keyboard.press('Escape');
  await field().waitFor({ state: 'detached' });
  await page.locator('[aria-label="Search and open"]:focus').waitFor();
});

test('finds API keys, accounts, organizations and athletes by name, with one request for each text', async () => {
  const { page } = visit;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('query Palette')) sent.push(request.postData() ?? '');
  });
  await search('');
  await field().pressSequentially('zebra', { delay: 10 });
  await option('Zebra production').waitFor();
  for (const name of ['Zebra Scouting', 'Zebra FC', 'Zebra Runner']) await option(name).waitFor();
  // a busy machine types so slowly that parts of the word are searched as well
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.filter((body) => body.includes('"text":"zebra"'))).toHaveLength(1);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('palette');
  for (let step = 0; step < 4; step++) {
    if ((await page.locator('[role=option][aria-selected=true]').innerText()).includes('Zebra FC')) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/moderation\/organizations\//);
  await heading('Zebra FC').waitFor();
});

test('finds a key by the start of its public ID, and sends only the public ID of a complete key', async () => {
  const { page } = visit;
  await search(publicId.slice(0, 14));
  await option('Zebra production').waitFor();
  const secret = `${publicId}_0000000000000000000000000000000000000000000`;
  const sent = page.waitForRequest((request) => request.postDataJSON()?.variables?.text === publicId);
  await field().fill(secret);
  expect((await sent).postData()).not.toContain(secret);
  await option('Zebra production').click();
  await heading('Zebra production').waitFor();
});

test('finds a portal user by the email address', async () => {
  const { email } = await createMember(platform);
  await search(email);
  await visit.page.getByRole('option', { name: email }).click();
  await visit.page.waitForURL(/\/admin\/portal-users\//);
  await visit.page.getByText(email).first().waitFor();
});

test('opens a resource by its ID, and reports when nothing matches', async () => {
  await search(clubId);
  await option('Zebra FC').waitFor();
  await field().fill('no such name at all');
  await visit.page.getByRole('status').getByText('No results').waitFor();
  await visit.page.keyboard.press('Escape');
  expect(visit.faults()).toEqual([]);
});
