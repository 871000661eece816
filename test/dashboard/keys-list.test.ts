/** The list of keys is found again by its URL; a key is changed without overwriting others, by who may. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
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
const rows = () => visit.page.getByRole('table', { name: 'Keys' }).getByRole('row');
/** Waits for a number of rows below the head. */
const hasRows = async (count: number): Promise<void> => {
  await visit.page.getByText(new RegExp(`^${count} rows?( on this page)?$`)).waitFor();
};

const barriers: string[] = [];

async function look(name: string): Promise<void> {
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

async function choose(label: string, option: string): Promise<void> {
  await visit.page.getByRole('combobox', { name: label }).click();
  await visit.page.getByRole('option', { name: option }).click();
}

test('pages and orders are in the URL, and lead back', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await hasRows(25);
  await look('keys');
  await button('Key').click();
  await page.waitForURL(/sort=NAME_ASC/);
  await button('Next').click();
  await hasRows(7);
  const second = await rows().nth(1).textContent();
  await page.reload();
  await hasRows(7);
  expect(await rows().nth(1).textContent()).toBe(second);
  await page.goBack();
  await hasRows(25);
  expect(await page.getByRole('columnheader', { name: 'Key' }).getAttribute('aria-sort')).toBe('ascending');
});

test('words, filters and an account narrow it', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  await page.getByRole('searchbox').fill('zurich');
  await hasRows(1);
  await page.getByRole('searchbox').fill('no such words');
  await page.getByText('No key is like this').waitFor();
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
  expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe('Écurie Zürich');
  await page.goto('/admin/keys?plan=free&status=ACTIVE');
  await hasRows(1);
});

test('a hostile name is a text, in the list and wherever it leads', async () => {
  const { page } = visit;
  await page.goto('/admin/keys?q=onerror');
  await page.getByRole('link', { name: hostile, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await button('Disable').click();
  await dialog().getByText(hostile).waitFor();
  await button('Cancel').click();
});

test('what somebody else changed meanwhile is told, and not overwritten', async () => {
  const { page } = visit;
  await button('Edit').click();
  await dialog().getByLabel('Networks').fill('10.0.0.0/8');
  const change = 'mutation ($id: ID!) { updateApiKey(id: $id, ifMatch: "*", input: { name: "renamed" }) { id } }';
  await platform.administer(change, { id });
  await button('Save').click();
  await dialog().getByText('Somebody changed this meanwhile').waitFor();
  await look('key-edit-conflict');
  await button('Load what it is now').click();
  await dialog().getByText('Somebody changed this meanwhile').waitFor({ state: 'detached' });
  expect(await dialog().getByLabel(/^Name/).inputValue()).toBe('renamed');
  await dialog().getByLabel('Networks').fill('10.0.0.0/8');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('10.0.0.0/8').first().waitFor();
});

test('it is disabled by its name, enabled, and moved to another plan', async () => {
  const { page } = visit;
  await button('Disable').click();
  await dialog().getByLabel('Type renamed to go on').fill('renamed');
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await button('Enable').click();
  await button('Disable').waitFor();
  await button('Move plan').click();
  await dialog().getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /^Pro/ }).click();
  await dialog().getByText('At the end of the month', { exact: true }).click();
  await look('key-move');
  await dialog().getByRole('button', { name: 'Move' }).click();
  await page.getByText('Moves to').waitFor();
});

test('rotated without grace, it asks for the name', async () => {
  await button('Rotate').click();
  await dialog().getByRole('combobox', { name: 'The old key is accepted for' }).click();
  await visit.page.getByRole('option', { name: /^None/ }).click();
  await dialog().getByText('The old key is refused at once.').waitFor();
  expect(await dialog().getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
  await look('key-rotate-at-once');
  await button('Cancel').click();
});

test('who only looks is offered nothing, and told why once', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  for (const path of ['/admin/keys', `/admin/keys/${id}`, '/admin/keys/issue']) {
    await viewer.page.goto(path);
    await viewer.page.getByText('Your role looks only.').waitFor();
    expect(await viewer.page.getByText('Your role looks only.').count()).toBe(1);
    expect(await viewer.page.getByRole('button', { name: /^(Issue key|Edit|Rotate|Move plan|Disable|Revoke)$/ }).count()).toBe(0);
    expect(await viewer.page.getByRole('link', { name: 'Issue key' }).count()).toBe(0);
  }
  await viewer.close();
});

test('none of these screens has a barrier in light or dark, and their policy refuses them nothing', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
