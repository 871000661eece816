/** Pages outside of the API: the front page, the OpenAPI documents, and unknown addresses in a browser. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let platform: TestPlatform;
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(platform.restUrl + path, { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    text: await response.text(),
  };
};
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('the front page links to pages and live examples that respond', async () => {
  const { status, type, text, headers } = await get('/');
  expect([status, type, headers.has('ratelimit')]).toEqual([200, 'text/html; charset=utf-8', false]);
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  expect(links.length).toBeGreaterThan(7);
  expect(links).toEqual(expect.arrayContaining(['/docs', '/docs/guides', '/graphql', '/admin']));
  for (const link of links) expect([link, (await get(link, browser)).status]).toEqual([link, 200]);
});

test('an unknown address is a page for browsers, and a problem for all others and below /api', async () => {
  const page = await get('/nowhere', browser);
  expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<h1>Not found</h1>');
  const others: [string, Record<string, string>][] = [
    ['/nowhere', {}],
    ['/nowhere', { accept: 'application/json' }],
    ['/api/v1/nowhere', browser],
  ];
  for (const [path, headers] of others)
    expect(await get(path, headers)).toMatchObject({ status: 404, type: 'application/problem+json; charset=utf-8' });
});

test('data runs nothing in a browser, and pages run only files of this server', async () => {
  const policyOf = async (path: string, headers?: Record<string, string>): Promise<string> =>
    (await get(path, headers)).headers.get('content-security-policy') ?? '';
  for (const path of [
    '/api/v1/organizations',
    '/api/v1/nowhere',
    '/api/v1/openapi.json',
    '/nowhere',
    '/graphql',
    '/docs/changelog.atom',
  ]) {
    const { headers } = await get(path);
    expect([path, headers.get('content-security-policy')]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"]);
    expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
  }
  for (const path of ['/', '/docs', '/docs/reference/athletes', '/docs/guides/limits', '/nowhere']) {
    const { headers } = await get(path, browser);
    expect([path, headers.get('cross-origin-opener-policy'), headers.get('x-frame-options')]).toEqual([
      path,
      'same-origin',
      'SAMEORIGIN',
    ]);
    expect(await policyOf(path, browser)).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self';/);
  }
});

describe('the OpenAPI document', () => {
  test('is the same in JSON and YAML', async () => {
    const json = await get('/api/v1/openapi.json');
    const yaml = await get('/api/v1/openapi.yaml');
    expect([yaml.status, yaml.type]).toEqual([200, 'application/vnd.oai.openapi+yaml;version=3.1; charset=utf-8']);
    expect(parse(yaml.text, { maxAliasCount: 0 })).toEqual(JSON.parse(json.text));
  });

  test('of an area has its routes with everything that they refer to', async () => {
    const whole = JSON.parse((await get('/api/v1/openapi.json')).text);
    const paths: string[] = [];
    for (const { name } of whole.tags as { name: string }[]) {
      const part = JSON.parse((await get(`/api/v1/openapi/${name}.json`)).text);
      paths.push(...Object.keys(part.paths));
      for (const path of Object.keys(part.paths)) expect(part.paths[path]).toEqual(whole.paths[path]);
      const references = new Set(JSON.stringify(part).match(/#\/components\/\w+\/[\w-]+/g));
      for (const reference of references) {
        const [, , group = '', member = ''] = reference.split('/');
        expect([reference, part.components[group]?.[member]]).toEqual([reference, whole.components[group][member]]);
      }
    }
    expect(paths.toSorted()).toEqual(Object.keys(whole.paths).toSorted());
  });

  test('is compressed once, and has the same content in every encoding', async () => {
    const plain = await get('/api/v1/openapi.json', { 'accept-encoding': 'identity' });
    for (const encoding of ['br', 'gzip']) {
      const each = await get('/api/v1/openapi.json', { 'accept-encoding': encoding });
      expect([each.headers.get('content-encoding'), each.text === plain.text]).toEqual([encoding, true]);
    }
  });
});
