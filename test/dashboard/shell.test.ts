/** The frame of the dashboard: how it is served, how much of it is loaded, and that everybody can use it. */
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
  test('are never stored, and may load nothing but our own files', async () => {
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

  test('have a nonce of their own each time', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => /'nonce-([^']+)'/.exec((await get('/admin')).headers.get('content-security-policy') ?? '')?.[1]),
    );
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]?.length).toBeGreaterThan(20);
  });

  test('load files that stay for ever, compressed beforehand', async () => {
    const html = await (await get('/admin')).text();
    const [script = ''] = /\/admin\/assets\/[^"]+\.js/.exec(html) ?? [];
    const file = await get(script, { 'accept-encoding': 'br' });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    await file.arrayBuffer();
  });

  test.each(['/admin/assets/none.js', '/admin/assets/..%2f..%2fpackage.json', '/admin/assets/'])(
    'there is no %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    },
  );

  test('first load less than 300 kB of script, compressed', async () => {
    const { firstLoads, loadedBytes } = await outside<typeof sizes>('commands/dashboard-sizes.ts');
    for (const [page, modules] of Object.entries(firstLoads)) {
      expect([page, loadedBytes(modules).script < 300_000]).toEqual([page, true]);
    }
  });
});

describe('who is signed in', () => {
  test('can use the first screen soon', async () => {
    const { page } = visit;
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const ms = await page.evaluate<number>('performance.now()');
    console.log(`interactive after ${Math.round(ms)} ms`);
    expect(ms).toBeLessThan(8_000);
  });

  test.each([
    ['/admin/plans', 'Plans'],
    ['/admin/own-account', 'Own account'],
    ['/admin/there-is-none', 'There is nothing at this address'],
  ])('finds no barrier at %s', async (path, title) => {
    const { page } = visit;
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await visit.show(title.toLowerCase().replaceAll(' ', '-'));
  });

  test('reaches the content and the screens by keys alone', async () => {
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

  test('comes back from the pages of a provider to where he was', async () => {
    const { page } = visit;
    await page.evaluate("sessionStorage.setItem('back', '/plans?q=pro')");
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
    expect(page.url()).toMatch(/\/admin\/plans\?q=pro$/);
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('is told what failed, with its code and the id of the request, and can try again', async () => {
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
    await visit.show('refused');
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('cell', { name: 'starter' }).first().waitFor();
    await page.unroute('**/admin/graphql');
  });

  test('is warned before the session ends, and stays by a click', async () => {
    const { page } = visit;
    await page.route('**/admin/session', async (route) => {
      const answer = await route.fetch();
      const session = (await answer.json()) as object;
      const soon = new Date(Date.now() + 100_000).toISOString();
      const background = route.request().headers()['x-background'] === 'true';
      await route.fulfill({ response: answer, json: background ? { ...session, idleExpiresAt: soon } : session });
    });
    await page.goto('/admin/plans');
    await page.getByText('The session ends in 2 minutes unless something is done').waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByText('The session ends in').waitFor({ state: 'detached' });
    await page.unroute('**/admin/session');
  });

  test('explores the admin graph by his session', async () => {
    const { page } = visit;
    await page.goto('/admin/explorer');
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByText('"apiKeys"').first().waitFor();
    await visit.show('admin-explorer');
  });

  test('never met the policy of a page, and asked no other host', () => {
    expect(visit.faults()).toEqual([]);
  });
});
