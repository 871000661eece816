/** Name suggestions: in any script, from any word on, and only for athletes in lists of the viewer. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { consentBody, createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
const ids = new Map<string, string>();
const born = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };

const people = [
  { displayName: 'Ada Quillon', givenName: 'Ada', familyName: 'Quillon' },
  { displayName: 'Adam Baker' },
  { displayName: 'Zoë Ádamová', sports: [{ sport: 'TENNIS' }] },
  { displayName: 'Pelé', givenName: 'Edson Arantes', familyName: 'do Nascimento' },
  { displayName: 'Jean-Luc O’Brien', sports: [{ sport: 'TENNIS', primary: true }, { sport: 'CYCLING' }] },
  { displayName: 'Shohei Ohtani', knownAs: '大谷翔平' },
  { displayName: 'Ji-hoon Choi', knownAs: '최지훈' },
  { displayName: 'Mohamed Salah', knownAs: 'محمد صلاح' },
  { displayName: 'Волкова Анна' },
  { displayName: 'Ünal％ Çelik_' },
];

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write', 'athletes:write'] });
  owner = await verifiedAccount(platform, moderator, 'Names', { officer: true });
  const { body } = await owner.post('/athletes/batch', { items: people.map((person) => facts({ ...born, ...person })) });
  expect(body.summary).toMatchObject({ created: people.length });
  for (const [index, { displayName }] of people.entries()) ids.set(displayName, body.data[index].id);
});
afterAll(() => platform.close());

async function suggested(q: string, more = '', client: Client = platform.anonymous): Promise<string[]> {
  const { status, body } = await client.get(`/athletes/suggestions?q=${encodeURIComponent(q)}${more}`);
  expect({ q, status, body }).toMatchObject({ status: 200 });
  return body.data.map((each: { displayName: string }) => each.displayName);
}

test.each([
  ['a', ['Ada Quillon', 'Adam Baker', 'Zoë Ádamová', 'Pelé']],
  ['AD', ['Ada Quillon', 'Adam Baker', 'Zoë Ádamová']],
  ['adam', ['Adam Baker', 'Zoë Ádamová']],
  ['quillon a', ['Ada Quillon']],
  ['a q', ['Ada Quillon']],
  ['quillon x', []],
  ['uillon', []],
  ['edson nas', ['Pelé']],
  ['nascimento edson', ['Pelé']],
  ['pele', ['Pelé']],
  ['brien', ['Jean-Luc O’Brien']],
  ["o'b", ['Jean-Luc O’Brien']],
  ['jean luc', ['Jean-Luc O’Brien']],
  ['luc', ['Jean-Luc O’Brien']],
  ['大', ['Shohei Ohtani']],
  ['翔平', ['Shohei Ohtani']],
  ['지훈', ['Ji-hoon Choi']],
  ['최', ['Ji-hoon Choi']],
  ['صلاح', ['Mohamed Salah']],
  ['ВОЛК', ['Волкова Анна']],
  ['а', ['Волкова Анна']],
  ['unal', ['Ünal％ Çelik_']],
  ['%', []],
  ['_', []],
  ['-', []],
])('%j suggests %j', async (q, expected) => {
  expect(await suggested(q)).toEqual(expected);
});

test('each returns the matched name and a few facts, over REST and GraphQL', async () => {
  const { body, headers } = await platform.anonymous.get('/athletes/suggestions?q=edson');
  const pele = { id: ids.get('Pelé'), displayName: 'Pelé', matchedName: 'Edson Arantes do Nascimento' };
  const suggestion = { ...pele, sports: ['FOOTBALL'], country: 'FR', verified: false };
  expect(body).toEqual({ data: [suggestion] });
  expect(headers.get('cache-control')).toContain('private');
  const graph = await platform.anonymous.graphql(
    '{ athleteSuggestions(q: "edson") { nodes { id displayName matchedName sports country verified } } }',
  );
  expect(graph.body).toEqual({ data: { athleteSuggestions: { nodes: [suggestion] } } });
});

test('a sport and a limit narrow them, and invalid parameters are reported', async () => {
  expect(await suggested('a', '&sport=TENNIS')).toEqual(['Zoë Ádamová']);
  expect(await suggested('j', '&sport=CYCLING,HANDBALL')).toEqual(['Jean-Luc O’Brien']);
  expect(await suggested('a', '&limit=2')).toEqual(['Ada Quillon', 'Adam Baker']);
  for (const wrong of ['q=a&limit=21', 'q=a&limit=0', 'limit=3', 'q=', 'q=a&first=3'])
    expect((await platform.anonymous.get(`/athletes/suggestions?${wrong}`)).status).toBe(400);
});

test('an athlete with many names and sports counts once', async () => {
  const sports = [{ sport: 'TENNIS', primary: true }, { sport: 'CYCLING' }, { sport: 'ATHLETICS' }];
  await createAthlete(owner, { ...born, displayName: 'Kaa Kab Kac Kad', knownAs: 'Kae Kaf', sports });
  await createAthlete(owner, { ...born, displayName: 'Kaz' });
  expect(await suggested('k', '&limit=2')).toEqual(['Kaa Kab Kac Kad', 'Kaz']);
});

describe('suggested athletes', () => {
  test('verified athletes come first while they are verified', async () => {
    const { id, version } = await createAthlete(owner, { ...born, displayName: 'Quuin Zed' });
    expect(await suggested('q')).toEqual(['Ada Quillon', 'Quuin Zed']);
    expect((await moderator.post(`/athletes/${id}/verify`)).status).toBe(200);
    expect(await suggested('q')).toEqual(['Quuin Zed', 'Ada Quillon']);
    const renamed = await owner.patch(`/athletes/${id}`, { displayName: 'Quvin Zed' }, { 'if-match': `"${version + 1}"` });
    expect(renamed.status).toBe(200);
    expect(await suggested('q')).toEqual(['Ada Quillon', 'Quvin Zed']);
    expect(await suggested('quuin')).toEqual([]);
  });

  test('are those of lists: never hidden profiles, and never minors for any viewer', async () => {
    const { id } = await createAthlete(owner, { ...born, displayName: 'Xaver Open' });
    await createAthlete(owner, { ...born, displayName: 'Xaver Draft', status: 'DRAFT' });
    await createAthlete(owner, { ...born, displayName: 'Xaver Private', visibility: 'PRIVATE' });
    await createAthlete(owner, { ...born, displayName: 'Xaver Clubs', visibility: 'ORGANIZATIONS' });
    await createMinor(owner, ['PROFILE', 'MEDIA', 'CONTACT', 'PROFILING'], { displayName: 'Xaver Minor' });
    const reader = await verifiedAccount(platform, moderator, 'Minors', { officer: true, scopes: ['minors:read'] });
    const otherAccount = await platform.account({ account: 'Stranger' });
    expect(await suggested('xaver')).toEqual(['Xaver Open']);
    expect(await suggested('xaver', '', otherAccount)).toEqual(['Xaver Open']);
    for (const client of [reader, owner]) expect(await suggested('xaver', '', client)).toEqual(['Xaver Clubs', 'Xaver Open']);
    expect((await moderator.post(`/athletes/${id}/suspend`)).status).toBe(200);
    expect(await suggested('xaver')).toEqual([]);
    expect((await moderator.post(`/athletes/${id}/reinstate`)).status).toBe(200);
    expect(await suggested('xaver')).toEqual(['Xaver Open']);
    // the athlete turns out to be a minor
    const { status } = await owner.patch(`/athletes/${id}`, { dateOfBirth: bornFor(15, 3) }, { 'if-match': '*' });
    expect(status).toBe(200);
    expect((await owner.post(`/athletes/${id}/consents`, consentBody(['PROFILE']))).status).toBe(201);
    expect((await owner.post(`/athletes/${id}/activate`)).status).toBe(200);
    expect(await suggested('xaver')).toEqual([]);
  });
});

test('lists match native names by whole words or parts of three letters', async () => {
  for (const [q, name] of [
    ['大谷', 'Shohei Ohtani'],
    ['谷翔平', 'Shohei Ohtani'],
    ['최지', 'Ji-hoon Choi'],
    ['صلاح', 'Mohamed Salah'],
    ['анна волк', 'Волкова Анна'],
    ['ohtani', 'Shohei Ohtani'],
  ] as const) {
    const { body } = await platform.anonymous.get(`/athletes?q=${encodeURIComponent(q)}`);
    expect({ q, names: body.data.map((each: { displayName: string }) => each.displayName) }).toEqual({ q, names: [name] });
  }
});
