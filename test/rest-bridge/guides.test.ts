/** The guides and decision records as served pages and as text: the index, links, headers, llms.txt, and paths outside docs/. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../architecture/source.ts';
import { openClubBridge } from './club-bridge.ts';

let platform: Awaited<ReturnType<typeof openClubBridge>>;

beforeAll(async () => {
  platform = await openClubBridge();
});
afterAll(() => platform[Symbol.asyncDispose]());

const get = (url: string) => platform.app.inject(url);

/** The targets of the links of a page. */
const linksOf = (html: string): string[] => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);

/** Every page that can be reached from the index over internal links, with its HTML. */
async function crawl(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const queue = ['/docs/guides/'];
  for (const path of queue) {
    if (found.has(path)) continue;
    const response = await get(path);
    expect([path, response.statusCode]).toEqual([path, 200]);
    found.set(path, response.body);
    for (const href of linksOf(response.body)) if (href.startsWith('/docs')) queue.push(href.split('#')[0] ?? '');
  }
  return found;
}

describe('the guides', () => {
  test('are all listed by the index', async () => {
    const files = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md') && file !== 'README.md');
    expect(files.length).toBeGreaterThan(20);
    const links = new Set(linksOf((await get('/docs/guides/')).body));
    expect(files.filter((file) => !links.has(`/docs/guides/${file.replace('.md', '')}`))).toEqual([]);
  });

  test('have links that lead to pages and headings that exist', async () => {
    const pages = await crawl();
    for (const file of readdirSync(join(root, 'docs/decisions')))
      expect([...pages.keys()]).toContain(`/docs/guides/decisions/${file.replace('.md', '').replace('README', '')}`);
    const lost = [...pages].flatMap(([page, html]) =>
      linksOf(html).flatMap((href) => {
        if (/^https:|^\/api\/|^\/(?:graphql)?$/.test(href)) return [];
        const [path = '', anchor] = href.split('#');
        const target = pages.get(path === '' ? page : path);
        const found = target !== undefined && (anchor === undefined || target.includes(`id="${anchor}"`));
        return found ? [] : [`${page} links to ${href}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test('are HTML without scripts, images or Markdown, under the strict content policy', async () => {
    const { headers, body, statusCode } = await get('/docs/guides/limits');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('<title>Limits</title>');
    expect(body).toContain('aria-current="page">Limits<');
    expect(body).toContain('<table>');
    for (const [, html] of await crawl())
      expect(html.replaceAll(/<(pre|code)>[^]*?<\/\1>/g, '')).not.toMatch(
        /<script(?! type="module" src="\/docs\/assets\/)|<img|\*\*|^\|/m,
      );
  });

  test('are revalidated with their ETag', async () => {
    const { etag } = (await get('/docs/guides/keys')).headers;
    const repeated = await platform.app.inject({ url: '/docs/guides/keys', headers: { 'if-none-match': String(etag) } });
    expect([repeated.statusCode, repeated.body]).toEqual([304, '']);
  });

  test('are linked from the API index and the reference', async () => {
    expect((await get('/api/v1')).json()).toMatchObject({ links: { guides: '/docs/guides/' } });
    expect(linksOf((await get('/docs')).body)).toContain('/docs/guides/');
    expect((await get('/docs/guides')).body).toBe((await get('/docs/guides/')).body);
  });

  test('are free: no request reaches the router', async () => {
    await crawl();
    expect(platform.requested).toEqual([]);
  });

  test.each([
    '/docs/guides/nowhere',
    '/docs/guides/nowhere.md',
    '/docs/guides/../README.md',
    '/docs/guides/../README',
    '/docs/guides/../../package.json',
    '/docs/guides/..%2f..%2fpackage.json',
    '/docs/guides/%2e%2e/%2e%2e/package',
    '/docs/guides/decisions/..%2fkeys',
    '/docs/guides/....//package.json',
    '/docs/guides/dashboard/overview-wide-light.png',
    '/docs/guides/keys%00',
  ])('no other file is served: %s', async (url) => {
    const { statusCode, body } = await get(url);
    expect([400, 404]).toContain(statusCode);
    expect(body).not.toContain('talent-platform');
  });
});

test('the API changelog is a page and a feed with the same dates', async () => {
  await using platform = await openClubBridge();
  const page = await platform.app.inject('/docs/changelog');
  const dates = [...page.body.matchAll(/<h2 id="(\d{4}-\d{2}-\d{2})">/g)].map(([, date]) => date);
  expect(dates.length).toBeGreaterThan(0);
  const feed = await platform.app.inject('/docs/changelog.atom');
  expect(feed.headers['content-type']).toContain('application/atom+xml');
  expect([...feed.body.matchAll(/<title>API changes of (.+?)<\/title>/g)].map(([, date]) => date)).toEqual(dates);
  expect(feed.body).toContain(`<link href="https://api.example.com/docs/changelog#${dates[0] ?? ''}"/>`);
  expect(feed.body.match(/<entry>/g)).toHaveLength(feed.body.match(/<\/entry>/g)?.length ?? 0);
});

describe('as text', () => {
  test('every guide is Markdown, and every link in it leads to a page', async () => {
    const files = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
    for (const file of files) {
      const { statusCode, headers, body } = await get(`/docs/guides/${file}`);
      expect([file, statusCode, headers['content-type']]).toEqual([file, 200, 'text/markdown; charset=utf-8']);
      expect(body).toMatch(/^# /);
      for (const [, href = ''] of body.matchAll(/\]\(((?:\.\.\/)?[\w/-]+\.md)(?:#[^)]*)?\)/g)) {
        const path = new URL(href, `http://host/docs/guides/${file}`).pathname;
        expect([file, path, (await get(path)).statusCode]).toEqual([file, path, 200]);
      }
    }
  });

  test('llms.txt names the platform and links to descriptions and guides that exist', async () => {
    const { statusCode, headers, body } = await get('/llms.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    // https://llmstxt.org: a title, a summary, and sections of links
    expect(body).toMatch(/^# Talent Platform\n\n> One API [^\n]+\n\n/);
    const links = [...body.matchAll(/^- \[[^\]]+\]\(([^)]+)\): ./gm)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(35);
    for (const href of links.filter((each) => !each.includes('/graphql/')))
      expect([href, (await get(href)).statusCode]).toEqual([href, 200]);
    expect(
      body
        .split('\n## ')
        .slice(1)
        .every((section) => section.includes('- [')),
    ).toBe(true);
  });
});
