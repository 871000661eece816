/** The list of API keys with its filters, and the actions on a key: edit, disable, change plan, rotate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { eventually } from '../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

const hostile = '<img src=x onerror=alert(1)> & "{{7*7}}"';

async function issue(input: Record<string, unknown>): Promise<string> {
  const data = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }',
    {
      input: { accountName: 'Many Keys', plan: 'plenty', ...input },
    },
  );
  return (data['issueApiKey'] as { apiKey: { id: string } }).apiKey.id;
}

let id = '';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  for (let number = 10; number < 40; number += 1) await issue({ name: `key ${number}` });
  await issue({ accountName: 'Écurie Zürich', name: 'reader', scopes: ['minors:read'], plan: 'free' });
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  id = await issue({ accountName: hostile, name: hostile, expiresAt: soon, scopes: ['athletes:write'] });
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');
const rows = () => visit.page.getByRole('table', { name: 'API keys' }).getByRole('row');
/** Waits for a number of rows below the header. */
const hasRows = async (count: number): Promise<void> => {
  await visit.page.getByText(new RegExp(`^${count} rows?( on this page)?$`)).waitFor();
};

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

async function choose(label: string, option: string): Promise<void> {
  await visit.page.getByRole('combobox', { name: label }).click();
  await visit.page.getByRole('option', { name: option }).click();
}

test('stores the page and the sort order in the URL', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await hasRows(25);
  await capture('keys');
  // the cursor of the previous sort order must not be used while the new one is loaded
  await page.route('**/graphql', async (route) => {
    await sleep(300);
    await route.continue();
  });
  await button('API key').click();
  await page.waitForURL(/sort=NAME_ASC/);
  await button('Next').click();
  await hasRows(7);
  await page.unroute('**/graphql');
  const second = await rows().nth(1).textContent();
  await page.reload();
  await hasRows(7);
  expect(await rows().nth(1).textContent()).toBe(second);
  await page.goBack();
  await hasRows(25);
  expect(await page.getByRole('columnheader', { name: 'API key' }).getAttribute('aria-sort')).toBe('ascending');
});

test('filters by text, fields and account', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByRole('searchbox').fill('zurich');
  await hasRows(1);
  await page.getByRole('searchbox').fill('no such words');
  await page.getByText('No matching API keys').waitFor();
  await page.goto('/admin/keys');
  await choose('Scope', 'minors:read');
  await hasRows(1);
  await page.goto('/admin/keys');
  await choose('Expires', 'Within 7 days');
  await hasRows(1);
  await page.goto('/admin/keys');
  await page.getByRole('combobox', { name: 'Account' }).fill('ecurie');
  await page.getByRole('option', { name: 'Écurie Zürich' }).click();
  await hasRows(1);
  await page.reload();
  await hasRows(1);
  // the name of the account is another query than the rows
  await eventually(async () => expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe('Écurie Zürich'));
  await page.goto('/admin/keys?plan=free&status=ACTIVE');
  await hasRows(1);
});

test('renders a hostile name as text in the list and on the screen of the key', async () => {
  const { page } = visit;
  await page.goto('/admin/keys?q=onerror');
  await page.getByRole('link', { name: hostile, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await button('Disable').click();
  await dialog().getByText(hostile).waitFor();
  await button('Cancel').click();
});

test('a concurrent change is reported and not overwritten', async () => {
  const { page } = visit;
  await button('Edit').click();
  await dialog().getByLabel('Allowed networks').fill('10.0.0.0/8');
  const change = 'mutation ($id: ID!) { updateApiKey(id: $id, ifMatch: "*", input: { name: "renamed" }) { id } }';
  await platform.administer(change, { id });
  await button('Save').click();
  const conflict = dialog().getByRole('alert').filter({ hasText: 'This was changed by another administrator' });
  await conflict.waitFor();
  const rowOf = (field: string) => conflict.getByRole('row').filter({ hasText: field });
  // the latest version is loaded after the conflict is reported
  await rowOf('Name').waitFor();
  expect(await rowOf('Name').getByRole('cell').allInnerTexts()).toEqual(['renamed', hostile]);
  expect(await rowOf('Allowed networks').getByRole('cell').allInnerTexts()).toEqual(['Empty', '10.0.0.0/8']);
  expect(await conflict.getByRole('row').count()).toBe(3);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await eventually(async () => {
      const { y = -1 } = (await conflict.boundingBox()) ?? {};
      expect(y >= 0 && y < 350).toBe(true);
    });
  }
  await page.setViewportSize({ width: 1440, height: 800 });
  await capture('key-edit-conflict');
  await button('Load latest version').click();
  await dialog().getByText('This was changed by another administrator').waitFor({ state: 'detached' });
  expect(
    await dialog()
      .getByLabel(/^Key name/)
      .inputValue(),
  ).toBe('renamed');
  await dialog().getByLabel('Allowed networks').fill('10.0.0.0/8');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('10.0.0.0/8').first().waitFor();
});

test('disables a key after typing its name, enables it, and changes its plan', async () => {
  const { page } = visit;
  await button('Disable').click();
  await dialog().getByLabel('Type renamed to confirm').fill('renamed');
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await button('Enable').click();
  await button('Disable').waitFor();
  await button('Change plan').click();
  await dialog().getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^Pro/ }).click();
  await dialog().getByText('End of month', { exact: true }).click();
  await capture('key-move');
  await dialog().getByRole('button', { name: 'Change plan' }).click();
  await page.getByText('Scheduled plan change').waitFor();
});

test('requires the name to rotate without a grace period', async () => {
  await button('Rotate').click();
  await dialog().getByRole('combobox', { name: 'Grace period of the old key' }).click();
  await visit.page.getByRole('option', { name: /^None/ }).click();
  await dialog().getByText('Requests with the old key fail immediately.').waitFor();
  expect(await dialog().getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
  await capture('key-rotate-at-once');
  await button('Cancel').click();
});

test('a viewer has no actions and one read-only notice', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  for (const path of ['/admin/keys', `/admin/keys/${id}`, '/admin/keys/issue']) {
    await viewer.page.goto(path);
    await viewer.page.getByText('Your role has read-only access.').waitFor();
    expect(await viewer.page.getByText('Your role has read-only access.').count()).toBe(1);
    expect(
      await viewer.page.getByRole('button', { name: /^(Issue API key|Edit|Rotate|Change plan|Disable|Revoke)$/ }).count(),
    ).toBe(0);
    await viewer.page.getByRole('link', { name: 'Issue API key' }).first().waitFor({ state: 'detached' });
  }
  await viewer.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
