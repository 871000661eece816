/** The GraphQL explorer at /graphql, served from this host. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: Visit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await browser.visit(platform.graphqlUrl);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

test('a browser at /graphql gets the explorer with working examples', async () => {
  const { page } = visit;
  await page.goto('/graphql');
  // before the editor has its text, the button runs nothing
  await page.getByText('displayName').first().waitFor();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.getByText('"nodes"').first().waitFor();
  await visit.show('explorer');
});

test('loads nothing from other hosts and violates no Content Security Policy', () => {
  expect(visit.faults()).toEqual([]);
});

test('is accessible in light and dark mode, except for the close buttons in its tabs', async () => {
  expect(await visit.barriers(['.graphiql-tab'])).toEqual([]);
});

test('sends the API key with requests and stores it for the tab only', async () => {
  const { key } = await platform.account({ account: 'Explorers' });
  const { page } = visit;
  await page.getByLabel('API key').fill(key);
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/graphql')),
    page.getByRole('button', { name: /Execute query/ }).click(),
  ]);
  expect(request.headers()['x-api-key']).toBe(key);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);
});

test('other clients get the GraphQL API at the same path', async () => {
  const queried = await fetch(`${platform.graphqlUrl}/graphql?query={__typename}`, {
    headers: { accept: 'application/json', 'apollo-require-preflight': 'true' },
  });
  expect(await queried.json()).toEqual({ data: { __typename: 'Query' } });
  const bare = await fetch(`${platform.graphqlUrl}/graphql`);
  expect(bare.status).toBe(400);
});
