/** The documentation pages in a browser: search, samples, requests from the page, and accessibility. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

async function open(path: string): Promise<Visit> {
  const visit = await browser.visit(platform.restUrl);
  await visit.page.goto(path);
  return visit;
}

test('the first view has less than 50 kB', async () => {
  const responses = await Promise.all(
    ['/docs', '/docs/assets/style.css', '/docs/assets/reference.js', '/docs/assets/samples.js'].map(async (path) => {
      const response = await fetch(platform.restUrl + path, { headers: { 'accept-encoding': 'br' }, method: 'GET' });
      return { encoding: response.headers.get('content-encoding'), bytes: Number(response.headers.get('content-length')) };
    }),
  );
  expect(responses.map(({ encoding }) => encoding)).toEqual(['br', 'br', 'br', 'br']);
  const bytes = responses.reduce((sum, each) => sum + each.bytes, 0);
  expect([bytes > 5_000, bytes < 50_000]).toEqual([true, true]);
});

test.each(['/', '/docs', '/docs/reference/plans', '/docs/guides/pagination', '/docs/problems', '/docs/changelog', '/nowhere'])(
  '%s is accessible and loads nothing from other hosts',
  async (path) => {
    const visit = await open(path);
    expect(await visit.barriers()).toEqual([]);
    await visit.show(`documentation${path.replaceAll('/', '-')}`);
    expect(visit.faults().filter((fault) => !fault.includes('404'))).toEqual([]);
    await visit.close();
  },
);

test('the search finds operations by their words and paths, and guides', async () => {
  const { page, close } = await open('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('create athlete');
  const links = page.locator('nav li:not([hidden]) a:visible');
  await expect(links.first().getAttribute('href')).resolves.toBe('/docs/reference/athletes#createAthlete');
  await page.getByRole('searchbox').fill('pagination');
  await expect(links.first().getAttribute('href')).resolves.toBe('/docs/guides/pagination');
  await page.getByRole('searchbox').fill('no such page');
  await page.getByText('Nothing found.').waitFor();
  await page.getByRole('searchbox').fill('create athlete');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/reference/athletes#createAthlete');
  await page.getByRole('heading', { name: 'Create an athlete', exact: true }).waitFor();
  await close();
});

describe('an operation', () => {
  test('has samples in three languages, which follow the form', async () => {
    const { page, show, close } = await open('/docs/reference/organizations#listOrganizations');
    const section = page.locator('#listOrganizations');
    await section.getByText('Try it').click();
    await section.getByLabel('limit').fill('1');
    const sample = section.locator('pre.code');
    await expect(sample.textContent()).resolves.toBe(`curl '${platform.restUrl}/api/v1/organizations?limit=1'`);
    await section.getByRole('tab', { name: 'Python' }).click();
    await expect(sample.textContent()).resolves.toContain('import requests');
    await section.getByRole('tab', { name: 'TypeScript' }).click();
    await expect(sample.textContent()).resolves.toContain('await fetch(');
    await show('reference-operation');
    await close();
  });

  test('sends requests with the key of the page', async () => {
    const { key } = await platform.account();
    const { page, show, faults, close } = await open('/docs/reference/organizations#createOrganization');
    const section = page.locator('#createOrganization');
    await page.getByLabel('API key').fill(key);
    await section.getByText('Try it').click();
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByText(/^201 /).waitFor();
    await expect(section.locator('output').textContent()).resolves.toContain('etag: "1-');
    await show('reference-response');
    await page.getByLabel('API key').fill('');
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByText(/^401 /).waitFor();
    expect(faults()).toEqual([]);
    await close();
  });
});
