/** The request log and the analytics in the dashboard: filters, search by request ID, details, the live view, and links between them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { asDatabaseOwner } from '../stories/webhooks/fixture.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client & { readonly key: string };
let invalidId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await platform.account({ account: 'Northern Scouting Group' });
  await Promise.all(Array.from({ length: 55 }, () => owner.get('/athletes?limit=1')));
  await owner.graphql('query Squad { organizations(first: 1) { nodes { id } } }');
  await owner.get('/athletes?sprot=FOOTBALL');
  const invalid = await owner.post('/organizations', { type: 'CLUB', name: '', country: 'NORWAY', sports: ['FOOTBALL'] });
  invalidId = invalid.headers.get('x-request-id') ?? '';
  await platform.flushUsage();
  visit = await visitAs(browser, platform, 'VIEWER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const rows = () => visit.page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

test('lists the requests of all keys in pages, newest first, without a barrier', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await rows().nth(50).waitFor();
  expect(await rows().nth(1).innerText()).toMatch(/422\s+validation_failed\s+POST \/api\/v1\/organizations/);
  expect(await rows().nth(1).innerText()).toContain('Northern Scouting Group');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('requests');
  await button('Next').click();
  await page.getByText('rows on this page').filter({ hasNotText: '50 rows' }).waitFor();
  await button('Previous').click();
  await page.getByText('50 rows on this page').waitFor();
});

test('filters are in the URL, and unknown values of the URL are ignored', async () => {
  const { page } = visit;
  await page.goto('/admin/requests?status=FOO&outcome=wrong');
  await rows().nth(50).waitFor();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Client error (4xx)' }).click();
  await page.getByText('2 rows', { exact: true }).waitFor();
  expect(page.url()).toContain('outcome=CLIENT_ERROR');
  await page.getByRole('combobox', { name: 'Error code' }).fill('unknown_par');
  await page.getByRole('option', { name: 'unknown_parameter' }).click();
  await page.getByText('1 row', { exact: true }).waitFor();
  await button('Clear filters').click();
  await page.getByLabel('Operation', { exact: true }).fill('Squad');
  await page.getByText('1 row', { exact: true }).waitFor();
  expect(await rows().nth(1).innerText()).toContain('Squad (GraphQL)');
  await page.getByLabel('To (UTC)').fill('2020-01-01T00:00');
  await page.getByText('No matching requests').waitFor();
});

test('a request is found by its request ID, with the places of its error in the details', async () => {
  const { page } = visit;
  await page.goto('/admin/requests');
  await page.getByLabel('Request ID').fill(invalidId);
  await page.getByText('1 row', { exact: true }).waitFor();
  await button(`Details of request ${invalidId}`).click();
  const drawer = page.getByRole('dialog', { name: 'Request' });
  const error = drawer.getByRole('region', { name: 'Error' });
  await error.getByText('/name', { exact: true }).waitFor();
  expect(await error.innerText()).toContain('validation_failed');
  expect(await drawer.innerText()).toContain('127.0.0.0/24');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('request');
  await page.reload();
  await drawer.getByText('validation_failed').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('request=');
});

test('the live view displays new requests, and pauses', async () => {
  const { page } = visit;
  await page.goto('/admin/requests?operation=GET%20/api/v1/opportunities');
  await page.getByText('No matching requests').waitFor();
  await page.getByText('Live', { exact: true }).first().click();
  await page.waitForURL('**view=LIVE');
  await page.getByText('No requests yet').waitFor();
  await owner.get('/opportunities?limit=1');
  await platform.flushUsage();
  await rows().nth(1).filter({ hasText: 'GET /api/v1/opportunities' }).waitFor();
  await visit.show('requests-live');
  await button('Pause').click();
  await page.getByText('New requests appear after you resume.').waitFor();
  expect(await visit.barriers()).toEqual([]);
});

test('operations with durations and errors are on the overview, the key and the account, and link to the log', async () => {
  const { page } = visit;
  await asDatabaseOwner(platform, `insert into accounts.deployment (version) values ('9.8.7')`);
  await page.goto('/admin');
  const changes = page.getByRole('list', { name: 'Changes in this range' });
  await changes.getByText('The platform started with version 9.8.7.').waitFor();
  const operations = page.getByRole('table', { name: 'Operations', exact: true });
  await operations.getByText('GET /api/v1/athletes', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Most frequent errors' }).getByText('validation_failed').waitFor();
  await visit.show('overview-operations');
  await rows().first().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Northern Scouting Group' }).first().click();
  await operations.getByText('Squad (GraphQL)').waitFor();
  expect(await operations.getByRole('columnheader').allInnerTexts()).toEqual([
    'Operation',
    'Requests',
    'Error rate',
    'p50',
    'p95',
    'p99',
  ]);
  expect(await visit.barriers()).toEqual([]);
  await visit.show('account-operations');
  await operations.getByRole('link', { name: 'GET /api/v1/athletes', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await rows().nth(50).waitFor();
  expect(page.url()).toContain('account=');
  await rows().nth(1).getByRole('link').first().click();
  await operations.getByText('Squad (GraphQL)').waitFor();
  await page.getByRole('link', { name: 'Open request log' }).click();
  await page.waitForURL('**key=sp_live_*');
});
