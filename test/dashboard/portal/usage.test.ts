/** Usage and limits in the portal: quotas of keys, the plan, usage over time as chart, table and CSV, and operations that link to the log. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createClient, type Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;
let publicId: string;
let client: Client;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'VIEWER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('a new account sees its plan and its limits, and no usage', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Usage and limits' }).click();
  await page.getByText('No active API keys').waitFor();
  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.getByText('EUR 0.00 per month').waitFor();
  await plan.getByText('7 days').waitFor();
  await page.getByText('No requests in this range').waitFor();
  await checked('usage-empty');
});

test('has the used units of each key against its quota', async () => {
  const { page, member } = visit;
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { publicId } } }';
  const input = { accountId: member.accountId, plan: 'free', name: 'server' };
  const { issueApiKey } = (await platform.administer(issue, { input })) as {
    issueApiKey: { key: string; apiKey: { publicId: string } };
  };
  ({ publicId } = issueApiKey.apiKey);
  client = createClient({ ...platform, key: issueApiKey.key });
  await client.get('/athletes?limit=1');
  await client.get('/organizations?limit=1');
  await client.get('/athletes?sprot=FOOTBALL');
  await platform.flushUsage();
  await page.reload();
  const row = page.getByRole('table', { name: 'Quotas' }).getByRole('row').nth(1);
  await row
    .getByText(/^[23] of [\d,]+ \(.+%\)$/)
    .first()
    .waitFor();
  expect(await row.innerText()).toContain(publicId);
  await page.getByText('The month resets').waitFor();
  await page.getByRole('table', { name: 'Operations' }).getByText('GET /api/v1/athletes').first().waitFor();
  const contract = 'mutation ($id: ID!) { setContract(accountId: $id, plan: "free", input: { perDay: 2000 }) { id } }';
  await platform.administer(contract, { id: member.accountId });
  await page.reload();
  const changes = page.getByRole('list', { name: 'Changes in this range' });
  await changes.getByText('The contract for the plan free changed.').waitFor();
  await checked('usage');
});

test('the usage over time has units and requests by status, key and area, as a table and as CSV', async () => {
  const { page } = visit;
  const figure = page.getByRole('figure', { name: 'Units by day' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    figure.getByRole('button', { name: 'Export CSV: Units by day' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n')[0]).toBe(
    'startsAt,"Success (2xx)","Redirect or not modified (3xx)","Client error (4xx)","Server error (5xx)"',
  );
  expect(csv.split('\r\n')).toHaveLength(32);
  await page.getByRole('radiogroup', { name: 'Units by day: view' }).getByText('Table').click();
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('By API key').click();
  await page.waitForURL('**group=KEY');
  await figure.getByRole('columnheader', { name: `server (${publicId})` }).waitFor();
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('By area').click();
  await figure.getByRole('columnheader', { name: 'Organizations' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Measure' }).getByText('Requests').click();
  await page.getByRole('figure', { name: 'Requests by day', exact: true }).waitFor();
  await page.getByRole('radiogroup', { name: 'Time range' }).first().getByText('24 hours').click();
  await page.getByRole('figure', { name: 'Requests by hour', exact: true }).waitFor();
  await page.getByRole('figure', { name: 'Requests and errors by hour' }).waitFor();
  const { search } = new URL(page.url());
  expect(Object.fromEntries(new URLSearchParams(search))).toEqual({ group: 'AREA', measure: 'REQUESTS', range: 'HOUR' });
  await checked('usage-table');
});

test('operations and errors link to their requests in the log', async () => {
  const { page } = visit;
  await page.getByRole('table', { name: 'Most frequent errors' }).getByRole('link', { name: 'unknown_parameter' }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'GET /api/v1/organizations' }).click();
  await page.waitForURL('**/requests?operation=*');
  await page.getByText('1 row', { exact: true }).waitFor();
});
