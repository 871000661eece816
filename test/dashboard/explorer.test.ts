/** The explorer: GraphiQL from our own files, for who opens /graphql in a browser. */
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

test('who opens /graphql in a browser explores the public schema, with examples that run', async () => {
  const { page } = visit;
  await page.goto('/graphql');
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.getByText('"nodes"').first().waitFor();
  await visit.show('explorer');
});

test('nothing of it comes from another host, and its policy refuses it nothing', () => {
  expect(visit.faults()).toEqual([]);
});

test('axe finds no barrier in it, light and dark, save that its tabs hold their closing button', async () => {
  expect(await visit.barriers(['.graphiql-tab'])).toEqual([]);
});

test('a key is sent with what is asked, and kept in the tab alone', async () => {
  const { key } = await platform.account({ account: 'Explorers' });
  const { page } = visit;
  await page.getByLabel('API key').fill(key);
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.method() === 'POST' && asked.url().endsWith('/graphql')),
    page.getByRole('button', { name: /Execute query/ }).click(),
  ]);
  expect(request.headers()['x-api-key']).toBe(key);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);
});

test('programs meet the graph there, as ever', async () => {
  const asked = await fetch(`${platform.graphqlUrl}/graphql?query={__typename}`, {
    headers: { accept: 'application/json', 'apollo-require-preflight': 'true' },
  });
  expect(await asked.json()).toEqual({ data: { __typename: 'Query' } });
  const bare = await fetch(`${platform.graphqlUrl}/graphql`);
  expect(bare.status).toBe(400);
});
