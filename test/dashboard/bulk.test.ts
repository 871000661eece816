/** Actions on several rows, CSV exports of lists and usage, and the density of tables. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;

const formula = '=HYPERLINK("https://evil.example","Click")';
const names = ['Alpha', 'Beta', 'Gamma'];

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }';
  for (const name of [...names, formula])
    await platform.administer(issue, { input: { accountName: `Bulk ${name}`, name, plan: 'pro', scopes: [] } });
  visit = await visitAs(browser, platform, 'ADMIN');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const row = (text: string) => visit.page.getByRole('row').filter({ hasText: text });
const checkbox = (name: string) => visit.page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

async function exported(name: string): Promise<string> {
  const download = visit.page.waitForEvent('download');
  await button(name).click();
  return readFile(await (await download).path(), 'utf8');
}

test('disables and revokes several keys after one confirmation, with a result per row', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  for (const name of names.slice(0, 2)) await checkbox(name).check();
  await page.getByText('2 selected').waitFor();
  await button('Disable').click();
  await dialog().getByText('Alpha').waitFor();
  expect(await dialog().getByRole('button', { name: 'Disable' }).isDisabled()).toBe(true);
  await dialog()
    .getByLabel(/^Reason/)
    .fill('Leaked');
  await dialog()
    .getByLabel(/to confirm$/)
    .fill('disable 2');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('bulk-confirm');
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await dialog().getByText('2 of 2 done.').waitFor();
  expect(await dialog().getByRole('listitem').allInnerTexts()).toEqual(['Alpha, disabled', 'Beta, disabled']);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('bulk-result');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await row('Alpha').getByText('Disabled').waitFor();
  await page.locator('h1:focus').waitFor();
  await page.getByText('2 selected').first().waitFor({ state: 'detached' });

  await checkbox('all rows on this page').check();
  await button('Disable').click();
  await dialog().getByText('Alpha, skipped: already disabled').waitFor();
  await page.keyboard.press('Escape');
  await button('Clear selection').click();
  const { data } = await visit.signedIn.run('{ auditEntries(filter: { action: "disable" }) { nodes { reason } } }');
  expect(data.auditEntries.nodes.map(({ reason }: { reason: string }) => reason)).toEqual(['Leaked', 'Leaked']);
});

test('reports the rows that failed, and changes the others', async () => {
  const { page } = visit;
  await page.goto('/admin/keys');
  for (const name of ['Beta', 'Gamma']) await checkbox(name).check();
  const list = await visit.signedIn.run('{ apiKeys(filter: { q: "Beta" }) { nodes { id } } }');
  await visit.signedIn.run('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: list.data.apiKeys.nodes[0].id });
  await button('Revoke').click();
  await dialog()
    .getByLabel(/to confirm$/)
    .fill('revoke 2');
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await dialog().getByText('2 of 2 done, 1 failed.').waitFor();
  const [beta, gamma] = await dialog().getByRole('listitem').allInnerTexts();
  expect(beta).toMatch(/^Beta, failed: /);
  expect(gamma).toBe('Gamma, revoked');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
});

test('suspends several accounts', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts?q=Bulk');
  for (const name of names) await checkbox(`Bulk ${name}`).check();
  await button('Suspend').click();
  await dialog()
    .getByLabel(/to confirm$/)
    .fill('suspend 3');
  await dialog().getByRole('button', { name: 'Suspend' }).click();
  await dialog().getByText('3 of 3 done.').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await row('Bulk Gamma').getByText('Suspended').waitFor();
  expect(await visit.barriers()).toEqual([]);
});

test('exports the filtered keys, accounts and usage as CSV without formulas', async () => {
  const { page } = visit;
  await page.goto('/admin/keys?status=ACTIVE&q=Bulk');
  await row('HYPERLINK').first().waitFor();
  const keys = (await exported('Export CSV')).trim().split('\r\n');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^id,publicId,name,status/);
  expect(keys[1]).toContain(`"'=HYPERLINK(""https://evil.example"",""Click"")"`);
  await dialog().getByText('1 API key exported.').waitFor();
  await page.goto('/admin/accounts?status=SUSPENDED');
  await row('Bulk Alpha').waitFor();
  expect((await exported('Export CSV')).trim().split('\r\n')).toHaveLength(4);
  await dialog().getByText('3 accounts exported.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Bulk Alpha' }).click();
  const usage = (await exported('Export CSV: Requests by day')).trim().split('\r\n');
  expect(usage[0]).toMatch(/^startsAt,/);
  expect(usage.length).toBeGreaterThan(10);
});

test('stores the density of tables in the browser', async () => {
  const { page } = visit;
  await page.goto('/admin/accounts');
  await row('Bulk Alpha').waitFor();
  const height = async () => (await row('Bulk Alpha').boundingBox())?.height ?? 0;
  const before = await height();
  await page.getByRole('button', { name: 'Ada Example' }).click();
  const item = page.getByRole('menuitemcheckbox', { name: 'Compact tables' });
  await item.click();
  expect(await item.getAttribute('aria-checked')).toBe('true');
  expect(await visit.barriers()).toEqual([]);
  await page.reload();
  await row('Bulk Alpha').waitFor();
  expect(await height()).toBeLessThan(before);
  await visit.show('compact-accounts');
});

test('a viewer has exports but no selection', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/keys');
  await viewer.page.getByRole('button', { name: 'Export CSV' }).waitFor();
  await viewer.page.getByRole('row').filter({ hasText: 'Alpha' }).first().waitFor();
  await viewer.page.getByRole('checkbox').first().waitFor({ state: 'detached' });
  await viewer.close();
  expect(visit.faults()).toEqual([]);
});
