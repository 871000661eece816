/** The request log of an account in the portal: filters, search by request ID, details, the live view; and nothing of other accounts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createClient, type Client } from '../../client.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;
let publicId: string;
let client: Client;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'DEVELOPER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const rows = () => visit.page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('an account without requests sees the next step', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByText('No requests yet').waitFor();
  await checked('requests-empty');
  await page.getByRole('link', { name: 'Open API keys' }).click();
  await page.getByText('No API keys yet').waitFor();
});

test('lists the requests of the account only, in pages, newest first', async () => {
  const { page, member } = visit;
  const { createOwnKey } = await member.run('mutation { createOwnKey(input: { name: "website" }) { key apiKey { publicId } } }');
  ({ publicId } = createOwnKey.apiKey);
  client = createClient({ ...platform, key: createOwnKey.key });
  const other = await platform.account({ account: 'Other' });
  await other.get('/organizations');
  await Promise.all(Array.from({ length: 55 }, () => client.get('/athletes?limit=1')));
  await client.graphql('query Squad { organizations(first: 1) { nodes { id } } }');
  await platform.flushUsage();
  await page.goto('/portal/requests');
  await rows().nth(50).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/200\s+Squad \(GraphQL\)\s+POST \/graphql\s+website/);
  await button('Next').click();
  await page.getByText('rows on this page').filter({ hasNotText: '50 rows' }).waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('/organizations');
  await button('Previous').click();
  await page.getByText('50 rows on this page').waitFor();
  await checked('requests');
});

test('filters by key, outcome, error code and time, which the URL has', async () => {
  const { page } = visit;
  const invalid = await client.get('/athletes?sprot=FOOTBALL');
  const unknown = await client.get('/unknown');
  expect([invalid.status, unknown.status]).toEqual([400, 404]);
  await platform.flushUsage();
  await page.goto('/portal/requests?status=FOO');
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Client error (4xx)' }).click();
  await page.getByText('2 rows', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Error code' }).fill('unknown_par');
  await page.getByRole('option', { name: 'unknown_parameter' }).click();
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'API key' }).fill('web');
  await page.getByRole('option', { name: `website (${publicId})` }).click();
  await page.waitForURL(`**key=${publicId}`);
  await page.getByText('1 row', { exact: true }).waitFor();
  await checked('requests-filtered');
  await page.getByLabel('To (UTC)').fill('2020-01-01T00:00');
  await page.getByText('No matching requests').waitFor();
  await button('Clear all filters').click();
  await rows().nth(50).waitFor();
});

test('a request is found by its ID, with the places of its error', async () => {
  const { page } = visit;
  const invalid = await client.get('/athletes?sprot=FOOTBALL');
  const requestId = invalid.headers.get('x-request-id') ?? '';
  await platform.flushUsage();
  await page.getByLabel('Request ID').fill(requestId);
  await page.getByText('1 row', { exact: true }).waitFor();
  await button(`Details of request ${requestId}`).click();
  const drawer = page.getByRole('dialog', { name: 'Request' });
  await drawer.getByRole('region', { name: 'Error' }).getByText('sprot').waitFor();
  await drawer.getByRole('button', { name: 'Copy request ID' }).waitFor();
  await checked('request');
  await drawer.getByRole('link', { name: 'website' }).click();
  await page.getByRole('heading', { level: 1, name: 'website' }).waitFor();
  await page.goBack();
  await drawer.getByRole('link', { name: 'All requests of this API key' }).click();
  await drawer.waitFor({ state: 'detached' });
  await rows().nth(50).waitFor();
});

test('the live view displays new requests to a viewer on a phone, and pauses', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: visit.member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  const { page } = reading;
  await page.goto('/portal/requests?view=LIVE&operation=GET%20/api/v1/opportunities');
  await page.getByText('No requests yet').waitFor();
  await client.get('/opportunities?limit=1');
  await platform.flushUsage();
  await page.getByRole('table', { name: 'Requests' }).getByText('GET /api/v1/opportunities').first().waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('New requests appear after you resume.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
});
