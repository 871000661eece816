/** The pages of docs/ against the tables they tell of: errors, and the variables of the environment. */
import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { loadSupergraph } from '../router/supergraph.ts';
import { areas } from '../schema/areas.ts';
import { errors } from '../schema/errors.ts';
import {
  dataVariables,
  publicServerVariables,
  oidcVariables,
  peerVariables,
  processVariables,
  routerVariables,
  seedVariables,
} from '../wiring/environment.ts';
import { readText } from './architecture/source.ts';
import { blocks, pages, rowNames, section } from './pages.ts';

describe('docs/problems.md', () => {
  const text = readText('docs/problems.md');

  test('has one entry for each error, and no other', () => {
    const told = [...text.matchAll(/^### (\w+)$/gm)].map(([, code]) => code);
    expect([...told].sort()).toEqual(Object.keys(errors).sort());
  });

  test.each(Object.entries(errors))('says status, title and what to do of %s', (code, { status, title }) => {
    const entry = section('docs/problems.md', code).trim();
    expect(entry.startsWith(`**${status} · ${title}.** `)).toBe(true);
    // what it means, and what to do
    expect((entry.match(/[.;:](?=\s|$)/g) ?? []).length).toBeGreaterThanOrEqual(2);
  });
});

test('docs/rest.md lists every error with its status', () => {
  const rows = section('docs/rest.md', 'Errors').matchAll(/^\| (\d{3}) \| (.+) \|$/gm);
  const told = [...rows].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  expect(told.sort()).toEqual(
    Object.entries(errors)
      .map(([code, { status }]) => `${status} ${code}`)
      .sort(),
  );
});

describe('docs/deploy.md', () => {
  const variables = {
    ...processVariables,
    ...dataVariables,
    ...publicServerVariables,
    ...oidcVariables,
    ...routerVariables,
    ...seedVariables,
    ...peerVariables,
  };
  const text = section('docs/deploy.md', 'Environment');
  const general = (name: string): string =>
    areas.reduce((all, area) => all.replace(new RegExp(`^${area.toUpperCase()}_`), '<AREA>_'), name);

  test('tells of every variable of the environment, and of no other', () => {
    expect(rowNames(text).sort()).toEqual([...new Set(Object.keys(variables).map(general))].sort());
  });

  test('tells the defaults as they are', () => {
    const fixed = Object.entries(variables).flatMap(([name, { absent }]) =>
      typeof absent === 'string' && name !== 'DATA_DIRECTORY' ? [[name, absent] as const] : [],
    );
    expect(fixed.map(([name]) => name)).toContain('ROUTER_URL');
    for (const [name, absent] of fixed) {
      if (general(name) !== name) continue;
      expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\|[^|]*\\| \`${absent}\` \\|`, 'm'));
    }
  });

  test('names every area of <AREA>', () => {
    for (const area of areas) expect(text).toMatch(new RegExp(`\\b${area.toUpperCase()}\\b`));
  });
});

test('every GraphQL operation that a page shows is valid; those of the dashboard are of the admin schema', () => {
  const { schemas } = loadSupergraph();
  const [api, admin] = [buildSchema(schemas.public), buildSchema(schemas.admin)];
  const shown = pages.flatMap((path) => blocks(readText(path), 'graphql').map((text) => ({ path, text })));
  expect(shown.length).toBeGreaterThan(0);
  for (const { path, text } of shown)
    expect(validate(path === 'docs/dashboard.md' ? admin : api, parse(text)).map(({ message }) => message)).toEqual([]);
});

test('every JSON that a page shows is JSON', () => {
  for (const text of pages.flatMap((path) => blocks(readText(path), 'json')))
    expect(() => JSON.parse(text) as unknown).not.toThrow();
});
