/** What a search is made of is searched for: no sign of it, nor a look-alike of one, stands for other letters. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, facts } from './people.ts';

let world: World;
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
  world = await openWorld();
  owner = await world.account({ account: 'Wildcards' });
  database = openDatabase({ url: world.database.ownerUrl, name: 'test-fold', poolSize: 1 });
  const born = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };
  const { body } = await owner.post('/athletes/batch', { items: names.map((displayName) => facts({ ...born, displayName })) });
  expect(body.summary).toMatchObject({ created: names.length });
  const club = { type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  for (const name of names) await owner.post('/organizations', { ...club, name });
});
afterAll(async () => {
  await database.close();
  await world.close();
});

const found = async (q: string): Promise<string[]> => {
  const { status, body } = await world.anonymous.get(`/athletes?limit=100&q=${encodeURIComponent(q)}`);
  expect({ q, status }).toEqual({ q, status: 200 });
  return body.data.map((each: { displayName: string }) => each.displayName).toSorted();
};

/** As names are kept to be searched. */
const fold = async (texts: readonly string[]): Promise<string[]> =>
  (
    await database.query<{ text: string }>(
      sql`/* test.fold */ select platform.fold(text) as text from unnest(${texts}::text[]) with ordinality as t(text, place) order by place`,
    )
  ).map(({ text }) => text);

test.each([
  // one or two letters are searched for where words begin, and none begins with these
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
])('%j finds the names it is in, in every list', async (q, expected) => {
  expect(await found(q)).toEqual(expected.toSorted());
  const { body } = await world.anonymous.get(`/organizations?limit=100&q=${encodeURIComponent(q)}`);
  expect(body.data.map((each: { name: string }) => each.name).toSorted()).toEqual(expected.toSorted());
});

test('any mix of signs and letters finds exactly the names that hold its words', async () => {
  const signs = fc.constantFrom('%', '％', '﹪', '٪', '_', '＿', '﹏', '\\', '＼', '﹨', '*', '＊', '?', '[', ']', '^', '.', '|');
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
