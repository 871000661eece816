/** The whole way of a key through the dashboard, from the first start to the audit log, as a person walks it. */
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

/** A call as a partner makes it. */
async function call(key: string): Promise<{ status: number; code: string | undefined }> {
  const answer = await fetch(`${platform.restUrl}/api/v1/me`, { headers: { 'x-api-key': key } });
  const body = (await answer.json()) as { code?: string };
  return { status: answer.status, code: body.code };
}

const heading = (name: string | RegExp) => visit.page.getByRole('heading', { level: 1, name });

/** The secret that is shown once, and put away. */
async function takeSecret(): Promise<string> {
  const { page } = visit;
  const shown = page.getByRole('dialog').filter({ hasText: 'It is shown this once' });
  const key = await shown.getByText(/^sp_live_/).textContent();
  await shown.getByRole('button', { name: 'I have kept it' }).click();
  await shown.waitFor({ state: 'hidden' });
  return key ?? '';
}

async function issueKey(): Promise<string> {
  const { page } = visit;
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('link', { name: 'Issue key' }).first().click();
  await heading('Issue key').waitFor();
  await page.getByRole('combobox', { name: 'Account' }).fill('Walk');
  await page.getByRole('option', { name: /Walking FC/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Match reports');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /Starter/ }).click();
  await page.getByRole('button', { name: 'Issue key' }).click();
  return takeSecret();
}

/** The number of answered requests that the chart's table shows for the newest day. */
async function countedToday(): Promise<string> {
  const { page } = visit;
  const figure = page.getByRole('figure', { name: 'Requests by day' });
  await figure.getByText('Table', { exact: true }).click();
  return (await figure.getByRole('row').last().getByRole('cell').nth(1).textContent()) ?? '';
}

async function rotate(): Promise<string> {
  const { page } = visit;
  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate this key' });
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  return takeSecret();
}

/** A day later, as far as keys with this end are concerned. */
async function endGrace(): Promise<void> {
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-grace', poolSize: 1 });
  await database.query(sql`/* test.endGrace */ update accounts.api_key set expires_at = now() where rotated_to is not null`);
  await database.close();
}

test('first start, owner, account, key, use, rotation, revocation: each is seen where it should be, and the audit tells all', async () => {
  const { page } = visit;
  const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
  await page.goto((createSetupLink as { setupPath: string }).setupPath);
  await page.getByLabel('Name').fill('Grace Example');
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.getByLabel(/^Password/).fill('seven horses on a hill');
  await page.getByRole('button', { name: 'Create and sign in' }).click();
  await heading('Overview').waitFor();

  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Create account' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Walking FC');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await heading('Walking FC').waitFor();

  const first = await issueKey();
  await heading('Match reports').waitFor();
  for (const _ of [1, 2, 3]) expect(await call(first)).toEqual({ status: 200, code: undefined });
  await platform.metered();
  await page.reload();
  expect(await countedToday()).toBe('3');
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
  await question.getByText(/calls? in the last 24 hours/).waitFor();
  await question.getByLabel('Why').fill('The walk is over');
  await question.getByLabel(/^Type Match reports/).fill('Match reports');
  const answered = page.waitForResponse('**/admin/graphql');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await answered;
  await eventually(async () => expect(await call(second)).toEqual({ status: 401, code: 'api_key_revoked' }), 1_000);

  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  for (const action of ['Revoke', 'Rotate', 'Issued', 'Created', 'Set up'])
    await page.getByRole('cell', { name: action, exact: true }).first().waitFor();
  await page.getByText('The walk is over').first().waitFor();
  expect(visit.faults()).toEqual([]);
});
