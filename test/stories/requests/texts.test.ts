/** Texts are searched and stored literally: no character has a special meaning for the search, the database, a shell or a browser. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Database, openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { countRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { bornFor, facts } from '../athletes/people.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('a search character', () => {
  let owner: Client;
  let database: Database;
  const names = [
    'Anna Plain',
    '100% Karl',
    'snake_case',
    'back\\slash',
    'full％width',
    'low＿line',
    'far＼side',
    'half%and_both\\',
  ];
  beforeAll(async () => {
    owner = await platform.account({ account: 'Wildcards' });
    database = openDatabase({ url: platform.database.ownerUrl, name: 'test-fold', poolSize: 1 });
    const born = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };
    const { body } = await owner.post('/athletes/batch', { items: names.map((displayName) => facts({ ...born, displayName })) });
    expect(body.summary).toMatchObject({ created: names.length });
    const club = { type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    for (const name of names) await owner.post('/organizations', { ...club, name });
  });
  afterAll(async () => {
    await database.close();
  });

  const found = async (q: string): Promise<string[]> => {
    const { status, body } = await platform.anonymous.get(`/athletes?limit=100&q=${encodeURIComponent(q)}`);
    expect({ q, status }).toEqual({ q, status: 200 });
    return body.data.map((each: { displayName: string }) => each.displayName).toSorted();
  };

  /** Names as folded for the search. */
  const fold = async (texts: readonly string[]): Promise<string[]> =>
    (
      await database.query<{ text: string }>(
        sql`/* test.fold */ select platform.fold(text) as text from unnest(${texts}::text[]) with ordinality as t(text, place) order by place`,
      )
    ).map(({ text }) => text);

  test.each([
    // one or two letters match only at the start of a word, and no word starts with these
    ['%', []],
    ['％', []],
    ['_', []],
    ['＿', []],
    ['\\', []],
    ['＼', []],
    ['00%', ['100% Karl']],
    ['00％', ['100% Karl']],
    ['l%w', ['full％width']],
    ['e＿c', ['snake_case']],
    ['w_l', ['low＿line']],
    ['k＼s', ['back\\slash']],
    ['r\\s', ['far＼side']],
    ['％％', []],
    ['ann_', []],
    ['ann＿', []],
    ['a％a', []],
    ['\\％', []],
    ['＼%', []],
  ])('%j finds the names that contain it, in every list', async (q, expected) => {
    expect(await found(q)).toEqual(expected.toSorted());
    const { body } = await platform.anonymous.get(`/organizations?limit=100&q=${encodeURIComponent(q)}`);
    expect(body.data.map((each: { name: string }) => each.name).toSorted()).toEqual(expected.toSorted());
  });

  test('any mix of characters finds exactly the names that contain its words', async () => {
    const signs = fc.constantFrom(
      '%',
      '％',
      '﹪',
      '٪',
      '_',
      '＿',
      '﹏',
      '\\',
      '＼',
      '﹨',
      '*',
      '＊',
      '?',
      '[',
      ']',
      '^',
      '.',
      '|',
    );
    const letters = fc.constantFrom('a', 'n', 'A', 'ä', 'Ａ', 'l', 's', 'h', '1', '½', 'ﬁ', ' ');
    const texts = fc
      .array(fc.oneof(signs, letters), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''))
      .filter((text) => text.trim() !== '');
    const folded = await fold(names);
    await fc.assert(
      fc.asyncProperty(texts, async (q) => {
        const words = q.split(/\s+/).filter(Boolean);
        const foldedWords = await fold(words);
        const holds = (name: string): boolean =>
          foldedWords.every((word, index) =>
            Array.from(words[index] ?? '').length < 3 ? ` ${name}`.includes(` ${word}`) : name.includes(word),
          );
        const expected = names.filter((_, index) => holds(folded[index] ?? ''));
        expect(await found(q)).toEqual(expected.toSorted());
      }),
      { numRuns: 200 },
    );
  });
});

describe('a text with special characters', () => {
  let owner: Client;
  beforeAll(async () => {
    owner = await platform.account({ account: 'Bobby Tables' });
  });

  const texts = [
    `Robert'); drop table organization; --`,
    `" or ""="`,
    `1; select pg_sleep(10)`,
    `$1 $2 $$ :name ? ?1 @x`,
    `100%_\\%`,
    `\\'; \\x00 \\u0000`,
    `/* comment */ -- #`,
    `{"a": [1]} {1,2,3}`,
    `a & b | !c <-> d:*`,
    `<script>alert(1)</script>`,
    'Zoë Çelik-Œuvre 武蔵 فريق 👩‍👩‍👧',
    `=cmd|' /C calc'!A0`,
    'spaces   between',
    '%',
    '_',
    "'",
    '\\',
  ];

  describe.each(texts)('%j', (text) => {
    const club = { type: 'CLUB', name: text, country: 'DE', sports: ['FOOTBALL'], city: text, aliases: [text], status: 'ACTIVE' };

    test('has no special meaning in any text filter', async () => {
      await platform.settled();
      const before = await countRows(platform.database);
      const q = encodeURIComponent(text);
      for (const path of ['/organizations', '/organizations/teams', '/athletes', '/competitions', '/opportunities']) {
        const response = await owner.get(`${path}?q=${q}`);
        expect({ path, status: response.status }).toEqual({ path, status: 200 });
        expect((await owner.get(`${path}?externalId=TEST:${q}`)).body.data).toEqual([]);
      }
      for (const path of [
        `/athletes?discipline=${q}`,
        `/athletes?position=${q}`,
        `/athletes/statistics?metric=${q}`,
        `/scouting/prospects?position=${q}`,
      ]) {
        expect((await owner.get(path)).status).toBeLessThan(500);
      }
      expect((await owner.get(`/organizations?cursor=${q}`)).body.code).toBe('cursor_invalid');
      const graph = await owner.graphql(
        'query ($q: String!) { organizations(filter: { q: $q }) { nodes { id } } athletes(filter: { q: $q }) { nodes { id } } }',
        { q: text },
      );
      expect(graph.body.errors).toBeUndefined();
      expect(await countRows(platform.database)).toEqual(before);
    });

    test('is stored and returned unchanged, by both APIs', async () => {
      const externalIds = [{ scheme: 'TEST', value: text }];
      const created = await owner.post(
        '/organizations',
        { ...club, externalIds },
        { 'idempotency-key': `k${texts.indexOf(text)}` },
      );
      expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
      const { id } = created.body;
      const read = await platform.anonymous.get(`/organizations/${id}`);
      expect(read.body).toMatchObject({ name: text, city: text, aliases: [text], externalIds });
      const graph = await platform.anonymous.graphql('query ($id: ID!) { organization(id: $id) { name city } }', { id });
      expect(graph.body.data.organization).toEqual({ name: text, city: text });
      const found = await platform.anonymous.get(`/organizations?externalId=TEST:${encodeURIComponent(text)}`);
      expect(found.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
      const paged = await platform.anonymous.get('/organizations?sort=name&limit=1');
      expect(
        (
          await platform.anonymous.get(
            `/organizations?sort=name&limit=1&cursor=${encodeURIComponent(paged.body.page.nextCursor ?? '')}`,
          )
        ).status,
      ).toBeLessThan(500);
      const patched = await owner.patch(`/organizations/${id}`, { shortName: text.slice(0, 60) }, { 'if-match': '"1"' });
      expect(patched.body).toMatchObject({ shortName: text.slice(0, 60) });
    });
  });

  test('all of them are listed once, in order of name, page by page', async () => {
    const received: string[] = [];
    let path: string | null = '/organizations?sort=name&limit=3&mine=true';
    while (path !== null) {
      const { body, headers } = await owner.get(path);
      received.push(...body.data.map((each: { name: string }) => each.name));
      const link = /<[^>]*?(\/organizations\?[^>]*)>/.exec(headers.get('link') ?? '');
      path = link?.[1] ?? null;
    }
    expect(received.toSorted()).toEqual(texts.toSorted());
  });
});

const blank = ' \t\u00a0 ';

test('a blank name is rejected with its pointer', async () => {
  const owner = await platform.account({ account: 'Owner' });
  const rejected = (pointer: string) => ({ status: 422, body: { errors: [{ pointer, detail: 'must not be blank' }] } });
  expect(await owner.post('/athletes', facts({ displayName: blank }))).toMatchObject(rejected('/displayName'));
  const { id } = await createClub(owner);
  const patched = await owner.patch(`/organizations/${id}`, { city: blank }, { 'if-match': '*' });
  expect(patched).toMatchObject(rejected('/city'));
  const items = [facts({ displayName: blank })];
  expect((await owner.post('/athletes/batch', { items })).body.data).toMatchObject([
    { outcome: 'FAILED', error: { errors: [{ pointer: '/displayName' }] } },
  ]);
  const change = `mutation ($id: ID!, $name: String) { updateOrganization(id: $id, ifMatch: "*", input: { name: $name }) { id } }`;
  expect((await owner.graphql(change, { id, name: blank })).body.errors).toMatchObject([
    { extensions: { code: 'validation_failed', errors: [{ parameter: 'updateOrganization.input.name' }] } },
  ]);
  const named = await owner.patch(`/organizations/${id}`, { name: ' FC 1 ' }, { 'if-match': '*' });
  expect(named.status).toBe(200);
});
