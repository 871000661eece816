/** The frame of the dashboard: HTTP headers, bundle size, accessibility, errors and the session warning. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../administrator.ts';
import { openBrowser, type Browser, type Visit } from '../browser.ts';
import type * as sizes from '../../commands/dashboard-sizes.ts';
import { outside } from '../outside.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: Visit;
let owner: AdministratorClient;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await platform.administrator('OWNER');
  visit = await browser.visit(platform.graphqlUrl);
  await visit.signIn(owner);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${platform.graphqlUrl}${path}`, { headers });

describe('the pages', () => {
  test('are not cached and may load files of this host only', async () => {
    for (const path of ['/admin', '/admin/', '/admin/keys/1?q=x']) {
      const page = await get(path);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('have a new nonce in each response', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => /'nonce-([^']+)'/.exec((await get('/admin')).headers.get('content-security-policy') ?? '')?.[1]),
    );
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]?.length).toBeGreaterThan(20);
  });

  test('load immutable, precompressed files', async () => {
    const html = await (await get('/admin')).text();
    const [script = ''] = /\/admin\/assets\/[^"]+\.js/.exec(html) ?? [];
    const file = await get(script, { 'accept-encoding': 'br' });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    await file.arrayBuffer();
  });

  test.each(['/admin/assets/none.js', '/admin/assets/..%2f..%2fpackage.json', '/admin/assets/'])(
    'respond with 404 at %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    },
  );

  test('initially load less than 250 kB of compressed scripts', async () => {
    const { firstLoads, loadedBytes } = await outside<typeof sizes>('commands/dashboard-sizes.ts');
    for (const [page, modules] of Object.entries(firstLoads)) {
      expect([page, loadedBytes(modules).script < 250_000]).toEqual([page, true]);
    }
  });
});

describe('a signed-in administrator', () => {
  test('can use the first screen', async () => {
    const { page } = visit;
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test.each([
    ['/admin/plans', 'Plans'],
    ['/admin/own-account', 'Your account'],
    ['/admin/unknown', 'Page not found'],
  ])('gets an accessible page at %s', async (path, title) => {
    const { page } = visit;
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await visit.show(title.toLowerCase().replaceAll(' ', '-'));
  });

  test('reaches the content and the screens with the keyboard', async () => {
    const { page } = visit;
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#screen');
    await page.getByRole('link', { name: 'Plans' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
  });
});

describe('the session of an administrator', () => {
  test('returns to the previous screen after a sign-in with a provider', async () => {
    const { page } = visit;
    await page.evaluate("sessionStorage.setItem('back', '/plans?q=pro')");
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
    expect(page.url()).toMatch(/\/admin\/plans\?q=pro$/);
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('sees the code and the request id of an error, and can retry', async () => {
    const { page } = visit;
    let fails = true;
    await page.route('**/admin/graphql', (route) => {
      const problem = { title: 'Overloaded', status: 400, code: 'query_too_deep', detail: 'Too deep.', requestId: 'r-17' };
      return fails
        ? route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) })
        : route.continue();
    });
    await page.goto('/admin/plans');
    await page.getByText('request r-17').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await visit.show('error');
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('cell', { name: 'starter' }).first().waitFor();
    await page.unroute('**/admin/graphql');
  });

  test('is warned before the session expires and can extend it', async () => {
    const { page } = visit;
    await page.route('**/admin/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as object;
      const soon = new Date(Date.now() + 100_000).toISOString();
      const background = route.request().headers()['x-background'] === 'true';
      await route.fulfill({ response, json: background ? { ...session, idleExpiresAt: soon } : session });
    });
    await page.goto('/admin/plans');
    await page.getByText('Your session expires in 2 minutes due to inactivity.').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByText('Your session expires in').waitFor({ state: 'detached' });
    await page.unroute('**/admin/session');
  });

  test('can query the admin API in the explorer', async () => {
    const { page } = visit;
    await page.goto('/admin/explorer');
    // before the editor has its text, the button runs nothing
    await page.getByText('apiKeys').first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByText('"apiKeys"').first().waitFor();
    await visit.show('admin-explorer');
  });

  test('triggers no Content Security Policy violation and no request to another host', () => {
    expect(visit.faults()).toEqual([]);
  });
});
