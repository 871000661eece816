/** Names by language and script of athletes, teams and competitions: written, read, and found by every search. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createResource } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

const athlete = {
  displayName: 'Kylian Mbappe',
  birthYear: 1998,
  sex: 'MALE',
  nationalities: ['FR'],
  sports: [{ sport: 'FOOTBALL', primary: true }],
  status: 'ACTIVE',
};
const resources = [
  [
    '/athletes',
    athlete,
    [
      { language: 'ru', value: 'Килиан Мбаппе' },
      { language: 'ja', value: 'キリアン・エムバペ' },
    ],
  ],
  [
    '/organizations/teams',
    { name: 'Tokyo Greens', sport: 'FOOTBALL', category: 'WOMEN', country: 'JP' },
    [{ language: 'ja', value: '東京グリーンズ' }],
  ],
  [
    '/competitions',
    { name: 'Hellenic League', sport: 'FOOTBALL', type: 'LEAGUE', status: 'PUBLISHED' },
    [
      { language: 'el', value: 'Ελληνικό Πρωτάθλημα' },
      { language: 'sr-Latn', value: 'Helenska liga' },
    ],
  ],
] as const;

test.each(resources)('%s have names that every search finds', async (path, facts, names) => {
  const { id } = await createResource(owner, path, { ...facts, names });
  const { body } = await platform.anonymous.get(`${path}/${id}`);
  expect(body.names).toEqual(names);
  for (const { value } of names) {
    const q = encodeURIComponent(value);
    const list = await platform.anonymous.get(`${path}?q=${q}`);
    expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
    const all = await platform.anonymous.get(`/search?q=${q}`);
    const found = all.body.data.find((each: { id: string }) => each.id === id);
    // The default name, whatever name the text found.
    expect(found).toMatchObject({ name: body.name ?? body.displayName, matchedName: value });
  }

  const [first] = names;
  const change = (value: unknown) => owner.patch(`${path}/${id}`, { names: value }, { 'if-match': '*' });
  const changed = await change([{ ...first, value: 'Другое имя' }]);
  expect(changed.body.names).toEqual([{ ...first, value: 'Другое имя' }]);
  const gone = await platform.anonymous.get(`${path}?q=${encodeURIComponent(first.value)}`);
  expect(gone.body.data).toEqual([]);
  const code = async (value: unknown) => (await change(value)).body.errors[0];
  const upper = { language: first.language.toUpperCase(), value: 'B' };
  expect(await code([first, upper])).toMatchObject({ pointer: '/names/1/language', code: 'duplicate' });
  expect(await code([{ language: 'not a language', value: 'B' }])).toMatchObject({ pointer: '/names/0/language' });
  expect(await code(null)).toMatchObject({ pointer: '/names' });
  expect((await change([])).body.names).toEqual([]);
});

test('a batch writes names, and the same batch changes nothing', async () => {
  const items = [
    { ...athlete, names: [{ language: 'ko', value: '킬리안' }], externalIds: [{ scheme: 'TEST', value: 'names-1' }] },
  ];
  expect((await owner.post('/athletes/batch', { items })).body.summary).toMatchObject({ created: 1 });
  expect((await owner.post('/athletes/batch', { items })).body.summary).toMatchObject({ unchanged: 1 });
});

test('suggestions begin with a name in any script, and say which name matched', async () => {
  const names = [{ language: 'ja', value: '三苫 薫' }];
  const { id } = await createResource(owner, '/athletes', { ...athlete, displayName: 'Kaoru Mitoma', names });
  const { body } = await platform.anonymous.get(`/athletes/suggestions?q=${encodeURIComponent('三苫')}`);
  expect(body.data).toMatchObject([{ id, displayName: 'Kaoru Mitoma', matchedName: '三苫 薫' }]);
});
