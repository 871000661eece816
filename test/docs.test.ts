/** The guides against the code: error codes, environment variables, routes, GraphQL operations, and the length of paragraphs. */
import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { loadSupergraph } from '../router/supergraph.ts';
import { areas } from '../schema/areas.ts';
import { errors } from '../schema/errors.ts';
import {
  dataVariables,
  publicServerVariables,
  imageVariables,
  webhookVariables,
  peerVariables,
  processVariables,
  routerVariables,
  seedVariables,
} from '../wiring/environment.ts';
import { billingVariables } from '../wiring/billing-environment.ts';
import { observabilityVariables } from '../wiring/observability-environment.ts';
import { oidcVariables } from '../wiring/oidc-environment.ts';
import { portalVariables } from '../wiring/portal-environment.ts';
import { stripeVariables } from '../wiring/stripe-environment.ts';
import { readText } from './architecture/source.ts';
import type { OpenApiDocument } from '../rest-bridge/documentation/openapi.ts';
import { apiRequests, blocks, guidePages, longParagraphs, matchesRoute, pages, rowNames, section } from './pages.ts';

describe('docs/errors.md', () => {
  const text = section('docs/errors.md', 'Error codes');

  test('has one entry for each error code, and no other', () => {
    const documented = [...text.matchAll(/^### (\w+)$/gm)].map(([, code]) => code);
    expect(documented.sort()).toEqual(Object.keys(errors).sort());
  });

  test.each(Object.entries(errors))('documents status, title and remedy of %s', (code, { status, title }) => {
    const entry = section('docs/errors.md', code).trim();
    expect(entry.startsWith(`**${status} · ${title}.** `)).toBe(true);
    // the cause, and what to do
    expect((entry.match(/[.;:](?=\s|$)/g) ?? []).length).toBeGreaterThanOrEqual(2);
  });

  test('lists every error code with its status', () => {
    const rows = section('docs/errors.md', 'Codes by status').matchAll(/^\| (\d{3}) \| (.+) \|$/gm);
    const listed = [...rows].flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
    );
    expect(listed.sort()).toEqual(
      Object.entries(errors)
        .map(([code, { status }]) => `${status} ${code}`)
        .sort(),
    );
  });
});

test('docs/README.md lists every guide', () => {
  const listed = new Set([...readText('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`));
  expect(guidePages.filter((path) => path !== 'docs/README.md' && !listed.has(path))).toEqual([]);
});

test('no paragraph of a guide exceeds five lines of 120 characters', () => {
  expect(guidePages).toContain('docs/keys.md');
  const others = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', 'dashboard/README.md'];
  expect([...guidePages, ...others].flatMap((path) => longParagraphs(path, 5, 120))).toEqual([]);
});

describe('requests in guides', () => {
  const { paths } = JSON.parse(readText('schema/generated/openapi/v1.json')) as OpenApiDocument;
  const requests = pages.flatMap((path) => apiRequests(readText(path)).map((request) => ({ ...request, page: path })));

  test('are found in every notation', () => {
    expect(requests.length).toBeGreaterThan(60);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  });

  test('use routes and query parameters that exist', () => {
    const unknown = requests.flatMap(({ page, method, path, query }) => {
      const pattern = Object.keys(paths).find(
        (each) => matchesRoute(each, path.replace(/\.ics$/, '')) && method.toLowerCase() in (paths[each] ?? {}),
      );
      const operation = pattern === undefined ? undefined : paths[pattern]?.[method.toLowerCase()];
      if (operation === undefined) return [`${page}: ${method} ${path}`];
      const known = (operation.parameters ?? []).map((parameter) => parameter['name']);
      return query.filter((name) => !known.includes(name)).map((name) => `${page}: ${method} ${path}?${name}=`);
    });
    expect(unknown).toEqual([
      // the example of a mistyped filter
      'README.md: GET /athletes?sprot=',
      'docs/filtering.md: GET /athletes?sprot=',
    ]);
  });
});

describe('docs/deploy.md', () => {
  const variables = {
    ...processVariables,
    ...dataVariables,
    ...publicServerVariables,
    ...imageVariables,
    ...webhookVariables,
    ...oidcVariables,
    ...portalVariables,
    ...billingVariables,
    ...stripeVariables,
    ...routerVariables,
    ...observabilityVariables,
    ...seedVariables,
    ...peerVariables,
  };
  const text = section('docs/deploy.md', 'Environment');
  const general = (name: string): string =>
    areas.reduce((all, area) => all.replace(new RegExp(`^${area.toUpperCase()}_`), '<AREA>_'), name);

  test('lists every environment variable, and no other', () => {
    expect(rowNames(text).sort()).toEqual([...new Set(Object.keys(variables).map(general))].sort());
  });

  test('lists the defaults', () => {
    const texts = Object.entries(variables).map(
      ([name, { absent }]) => [name, Array.isArray(absent) ? absent.join(',') : absent] as const,
    );
    const fixed = texts.flatMap(([name, absent]) =>
      typeof absent === 'string' && absent !== '' && name !== 'DATA_DIRECTORY' ? [[name, absent] as const] : [],
    );
    expect(fixed.map(([name]) => name)).toContain('ROUTER_URL');
    for (const [name, absent] of fixed) {
      if (general(name) !== name) continue;
      expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\|[^|]*\\| \`${absent}\` \\|`, 'm'));
    }
  });

  test('lists every value of <AREA>', () => {
    for (const area of areas) expect(text).toMatch(new RegExp(`\\b${area.toUpperCase()}\\b`));
  });
});

test('every GraphQL operation of a page is valid; guides of sessions use the schemas of sessions', () => {
  const { schemas } = loadSupergraph();
  const [api, admin, portal] = [schemas.public, schemas.admin, schemas.portal].map((text) => [buildSchema(text)]);
  const schemasOf = new Map([
    ['docs/billing.md', admin],
    ['docs/dashboard.md', admin],
    ['docs/portal.md', [...(portal ?? []), ...(admin ?? [])]],
  ]);
  const documents = pages.flatMap((path) => blocks(readText(path), 'graphql').map((text) => ({ path, text })));
  expect(documents.length).toBeGreaterThan(0);
  for (const { path, text } of documents)
    expect([
      path,
      (schemasOf.get(path) ?? api)?.map((schema) => validate(schema, parse(text)).map(({ message }) => message)),
    ]).toEqual([path, expect.arrayContaining([[]])]);
});

test('every JSON block of a page is valid JSON', () => {
  for (const text of pages.flatMap((path) => blocks(readText(path), 'json')))
    expect(() => JSON.parse(text) as unknown).not.toThrow();
});
