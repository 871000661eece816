/** An end-to-end test in the browser: from the first start to a revoked API key and its audit log entries. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { eventually } from '../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: Visit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await browser.visit(platform.restUrl);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

/** A request of a partner. */
async function call(key: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${platform.restUrl}/api/v1/me`, { headers: { 'x-api-key': key } });
  const body = (await response.json()) as { code?: string };
  return { status: response.status, code: body.code };
}

const heading = (name: string | RegExp) => visit.page.getByRole('heading', { level: 1, name });

/** Returns the displayed secret and closes the dialog. */
async function takeSecret(): Promise<string> {
  const { page } = visit;
  const secretDialog = page.getByRole('dialog').filter({ hasText: 'Copy the API key now' });
  const key = await secretDialog
    .getByText(/^sp_live_/)
    .textContent()
    .catch(async (error: unknown) => {
      throw new Error(`No secret. The page displays:\n${await page.locator('body').innerText()}`, { cause: error });
    });
  await secretDialog.getByRole('button', { name: 'I have saved it' }).click();
  await secretDialog.waitFor({ state: 'hidden' });
  return key ?? '';
}

async function issueKey(): Promise<string> {
  const { page } = visit;
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByRole('link', { name: 'Issue API key' }).first().click();
  await heading('Issue API key').waitFor();
  await page.getByRole('combobox', { name: 'Account' }).fill('Walk');
  await page.getByRole('option', { name: /Walking FC/ }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('Match reports');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /Starter/ }).click();
  await page.getByRole('button', { name: 'Issue API key' }).click();
  return takeSecret();
}

/** The successful requests of today in the table of the chart. */
async function requestsToday(): Promise<string> {
  const { page } = visit;
  const figure = page.getByRole('figure', { name: 'Requests by day' });
  await figure.getByText('Table', { exact: true }).click();
  return (await figure.getByRole('row').last().getByRole('cell').nth(1).textContent()) ?? '';
}

async function rotate(): Promise<string> {
  const { page } = visit;
  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate API key' });
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  return takeSecret();
}

/** Ends the grace period of rotated keys. */
async function endGrace(): Promise<void> {
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-grace', poolSize: 1 });
  await database.query(sql`/* test.endGrace */ update accounts.api_key set expires_at = now() where rotated_to is not null`);
  await database.close();
}

test('sets up the owner, creates an account, issues, uses, rotates and revokes a key, and finds it all in the audit log', async () => {
  const { page } = visit;
  const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
  await page.goto((createSetupLink as { setupPath: string }).setupPath);
  await page.getByLabel('Name').fill('Grace Example');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel(/^Password/).fill('seven horses on a hill');
  await page.getByRole('button', { name: 'Create account and sign in' }).click();
  await heading('Overview').waitFor();

  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Create account' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Walking FC');
  await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click();
  await heading('Walking FC').waitFor();

  const first = await issueKey();
  await heading('Match reports').waitFor();
  for (const _ of [1, 2, 3]) expect(await call(first)).toEqual({ status: 200, code: undefined });
  await platform.flushUsage();
  await page.reload();
  expect(await requestsToday()).toBe('3');
  await page.getByText('getMe').first().waitFor();

  const second = await rotate();
  expect(second).not.toBe(first);
  expect([await call(first), await call(second)]).toEqual([
    { status: 200, code: undefined },
    { status: 200, code: undefined },
  ]);
  await endGrace();
  await eventually(async () => expect(await call(first)).toEqual({ status: 401, code: 'api_key_expired' }));
  expect((await call(second)).status).toBe(200);

  await heading('Match reports').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  const question = page.getByRole('dialog');
  await question.getByText(/requests? in the last 24 hours/).waitFor();
  await question.getByLabel('Reason').fill('End of the test');
  await question.getByLabel(/^Type Match reports/).fill('Match reports');
  const response = page.waitForResponse('**/admin/graphql');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await response;
  await eventually(async () => expect(await call(second)).toEqual({ status: 401, code: 'api_key_revoked' }), 1_000);

  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  for (const action of ['Revoked', 'Rotated', 'Issued', 'Created', 'Set up'])
    await page.getByRole('cell', { name: action, exact: true }).first().waitFor();
  await page.getByText('End of the test').first().waitFor();
  expect(visit.faults()).toEqual([]);
});
