/** The audit log screen: list, details, filters and export. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { openBrowser, type Browser } from '../browser.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { createMember } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

const hostile = '=HYPERLINK("https://evil.example") <img src=x onerror=alert(1)>';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
  await visit.page.goto('/admin/audit?area=SCOUTING');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const rows = () => visit.page.getByRole('table', { name: 'Audit log' }).getByRole('row');

async function act(document: string, variables: Record<string, unknown>) {
  const { data, errors } = await visit.signedIn.run(document, variables);
  expect(errors).toEqual([]);
  return data;
}

test('displays an empty state without entries', async () => {
  await visit.page.getByText('No matching entries', { exact: true }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('audit-empty');
});

test('lists actor, network and reason, and the fields before and after a change', async () => {
  const { page, signedIn: administrator } = visit;
  const input = { accountName: 'Audited', name: 'First', plan: 'starter', scopes: ['organizations:write'] };
  const issued = await act('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }', { input });
  const { id } = issued.issueApiKey.apiKey;
  await act('mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateApiKey(id: $id, input: $input, ifMatch: "*") { id } }', {
    id,
    input: { name: hostile },
  });
  await act('mutation ($id: ID!, $reason: String) { revokeApiKey(id: $id, reason: $reason) { id } }', { id, reason: hostile });

  await page.goto(`/admin/audit?resource=${id}`);
  await rows().nth(3).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/Ada Example\s+Revoked[\s\S]*[0-9a-f]{12}/);
  expect(await rows().nth(1).innerText()).toContain(hostile);
  await visit.show('audit');
  expect(await visit.barriers()).toEqual([]);
  await rows().nth(2).getByRole('button').click();
  const change = page.getByRole('table', { name: 'Changes' }).getByRole('row').filter({ hasText: 'name' }).first();
  expect(await change.innerText()).toContain('"First"');
  expect(await change.innerText()).toContain(JSON.stringify(hostile));
  expect(await visit.barriers()).toEqual([]);
  await visit.show('audit-entry');
  await page.keyboard.press('Escape');
  expect(administrator.id).not.toBe('');
});

test('stores the filters in the URL and clears them together', async () => {
  const { page } = visit;
  await choose('Action', 'Revoked');
  await page.waitForURL(/action=revoke/);
  await page.getByRole('button', { name: 'Details of' }).nth(1).waitFor({ state: 'detached' });
  expect(await rows().count()).toBe(2);
  await page.getByLabel('To (UTC)').fill('2020-01-01');
  await page.getByText('No matching entries', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows().nth(3).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('names the key that acted, and the resources of all areas', async () => {
  const { page } = visit;
  const owner = await platform.account({ account: 'Named Club' });
  const { id } = await createClub(owner, { name: 'FC Named' });
  await act('mutation ($id: ID!) { suspendOrganization(id: $id, reason: "Fraud") { id } }', { id });
  await page.goto('/admin/audit?area=ORGANIZATIONS');
  await rows().filter({ hasText: 'Suspended' }).filter({ hasText: 'FC Named' }).waitFor();
  await page.goto(`/admin/audit?resource=${id}`);
  await rows().filter({ hasText: 'Created' }).locator('a[href*="/admin/keys/"]').waitFor();
  await visit.show('audit-names');
  expect(await visit.barriers()).toEqual([]);
});

test('selects keys, actions and resource types, and drops values that the API would reject', async () => {
  const { page } = visit;
  await page.goto('/admin/audit?key=foo&resource=none&type=Key!&administrator=me');
  await rows().nth(1).waitFor();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  await page.goto('/admin/audit');
  await choose('Resource type', 'API key');
  await page.waitForURL(/type=api_key/);
  await page.getByRole('combobox', { name: 'API key' }).fill('named club');
  await page.getByRole('option', { name: /, Named Club$/ }).click();
  await page.waitForURL(/key=sp_live_/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Resource ID').fill('not an id');
  await page.getByText('Enter a complete ID.').waitFor();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
});

test('finds the entries of a portal user by name', async () => {
  const { page } = visit;
  const { run, userId, email } = await createMember(platform);
  await run('mutation { createOwnKey(input: { name: "Key of a member" }) { apiKey { id } } }');
  await page.goto('/admin/audit');
  await page.getByRole('combobox', { name: 'Portal user' }).fill(email);
  await page.getByRole('option', { name: email }).click();
  await page.waitForURL(new RegExp(`user=${userId}`));
  await rows().filter({ hasText: 'Key of a member' }).filter({ hasText: 'Issued' }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL((url) => url.search === '');
});

async function choose(label: string, option: string): Promise<void> {
  await visit.page.getByRole('combobox', { name: label, exact: true }).click();
  await visit.page.getByRole('option', { name: option, exact: true }).click();
}

async function exportAs(format: 'CSV' | 'JSON'): Promise<string> {
  const { page } = visit;
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()]);
  await page.getByText(/ exported\.$/).waitFor();
  await visit.show(`audit-export-${format}`);
  expect(await visit.barriers()).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  return readFile(await download.path(), 'utf8');
}

test('exports the filtered entries as JSON, and as CSV without formulas', async () => {
  const { page, signedIn: administrator } = visit;
  await page.goto('/admin/audit?type=api_key&action=revoke');
  await rows().nth(1).waitFor();
  const entries = JSON.parse(await exportAs('JSON')) as { action: string; reason: string; actor: { administratorId: string } }[];
  expect(entries).toMatchObject([{ action: 'revoke', reason: hostile, actor: { administratorId: administrator.id } }]);
  const lines = (await exportAs('CSV')).split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^id,at,area,resourceType,resourceId,version,action,/);
  expect(lines[1]).toContain(`"'${hostile.replaceAll('"', '""')}"`);
});

test('runs no injected scripts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});
