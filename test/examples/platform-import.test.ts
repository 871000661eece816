/** The importer against a whole platform: both APIs return the imported data, and a second import changes nothing. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { counts, runImporter, type Run } from './run-importer.ts';

const clubs = `name,country_file,founded,stadium,city,aliases
Bayern München,de,1900,Allianz Arena,München,FC Bayern|Bayern Munich [en]
ii) Bayern München II,de,,,,Bayern II
Säbener Straße 51-57 // 81547 München,de,,,,
FC Arsenal Kyiv,ua,1925,,Kyiv,
Arsenal FC,eng,1886,Emirates Stadium,London › Greater London,Arsenal|FC Arsenal
Oldest FC,eng,0500,,,
Nowhere FC,zz,,,,
Arsenal FC,eng,,,,
`;

const universities = `name,country_alpha2,state_province,domain,web_page
Technische Universität München,DE,Bayern,tum.de,https://www.tum.de/
University of Oxford,GB,null,ox.ac.uk,https://www.ox.ac.uk/
`;

const squads = [
  {
    name: 'Germany',
    fifa_code: 'GER',
    players: [
      { number: 1, pos: 'GK', name: 'Max Muster', date_of_birth: '1990-03-27' },
      { number: 10, pos: 'MF', name: 'Jürgen Beispiel', date_of_birth: '2001-02-26' },
      { number: 11, pos: 'FW', name: 'Otto Falsch', date_of_birth: '2001-02-30' },
      { number: 12, pos: 'FW', name: 'Anna Alt', date_of_birth: '2190-02-03' },
    ],
  },
];

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let folder: string;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account();
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  await Promise.all([
    writeFile(join(folder, 'clubs'), clubs),
    writeFile(join(folder, 'universities'), universities),
    writeFile(join(folder, 'squads'), JSON.stringify(squads)),
  ]);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await platform.close();
});

async function importFile(source: string): Promise<Run & { readonly rejected: Record<string, string[]> }> {
  const rejected = join(folder, `${source}.rejected`);
  const run = await runImporter([source, join(folder, source), '--url', platform.restUrl, '--rejected', rejected], {
    API_KEY: owner.key,
  });
  const lines = (await readFile(rejected, 'utf8')).split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => JSON.parse(line) as { kind: string; place: string; reasons: string[] });
  return { ...run, rejected: Object.fromEntries(parsed.map(({ kind, place, reasons }) => [`${kind} ${place}`, reasons])) };
}

test('clubs become organizations; other rows are rejected with reasons', async () => {
  const run = await importFile('clubs');
  expect([run.code, counts(run, 'organizations')]).toEqual([2, { rows: 8, created: 4, updated: 0, unchanged: 0, rejected: 4 }]);
  expect(run.rejected).toEqual({
    'organizations line 4': ['has an address for a name'],
    'organizations line 7': [expect.stringContaining('/foundedYear')],
    'organizations line 8': ['unknown country: zz'],
    'organizations line 9': ['same key as line 6 (eng/arsenal-fc)'],
  });
  const list = await owner.get('/organizations?externalId=OPENFOOTBALL:de/bayern-munchen');
  const { body } = await owner.get(`/organizations/${list.body.data[0].id}`);
  expect(body).toMatchObject({
    type: 'CLUB',
    name: 'Bayern München',
    aliases: ['FC Bayern', 'Bayern Munich'],
    country: 'DE',
    city: 'München',
    foundedYear: 1900,
    facilities: [{ name: 'Allianz Arena', kind: 'STADIUM' }],
    status: 'ACTIVE',
  });
});

test('universities become organizations', async () => {
  const run = await importFile('universities');
  expect([run.code, counts(run, 'organizations')]).toEqual([0, { rows: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 }]);
  const { body } = await owner.get('/organizations?type=UNIVERSITY&sort=name');
  expect(body.data.map((each: { name: string; region: string | null }) => [each.name, each.region])).toEqual([
    ['Technische Universität München', 'Bayern'],
    ['University of Oxford', null],
  ]);
});

test('squads become national teams, athletes and memberships', async () => {
  const run = await importFile('squads');
  expect(run.code).toBe(2);
  expect(counts(run, 'teams')).toMatchObject({ rows: 1, created: 1 });
  expect(counts(run, 'athletes')).toMatchObject({ rows: 4, created: 2, rejected: 2 });
  expect(counts(run, 'memberships')).toMatchObject({ created: 2 });
  expect(run.rejected).toMatchObject({
    'athletes GER 11': ['date of birth is not a calendar day: 2001-02-30'],
    'athletes GER 12': [expect.stringContaining('/dateOfBirth')],
  });
  const teams = await owner.get('/organizations/teams?externalId=OPENFOOTBALL:world-cup/ger');
  expect(teams.body.data).toEqual([expect.objectContaining({ name: 'Germany', country: 'DE', category: 'MEN' })]);
  const members = await owner.get('/organizations/memberships?mine=true');
  expect(
    members.body.data.map((each: { shirtNumber: number; status: string }) => [each.shirtNumber, each.status]).toSorted(),
  ).toEqual([
    [1, 'ACTIVE'],
    [10, 'ACTIVE'],
  ]);
});

test('a second import changes nothing, although the database keeps the members of a document in another order', async () => {
  const [first, second, third] = [
    await importFile('clubs'),
    await importFile('universities'),
    await importFile('squads'),
  ] as const;
  expect([first.code, second.code, third.code]).toEqual([2, 0, 2]);
  expect(counts(first, 'organizations')).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  expect(counts(second, 'organizations')).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  for (const [kind, unchanged] of [
    ['teams', 1],
    ['athletes', 2],
    ['memberships', 2],
  ] as const)
    expect(counts(third, kind)).toMatchObject({ created: 0, updated: 0, unchanged });
});

test.each([
  ['arsenal', 'Arsenal FC'],
  ['bayern munchen', 'Bayern München'],
  ['FC bayern', 'Bayern München'],
  ['oxford', 'University of Oxford'],
])('a search for %j returns %s first', async (q, name) => {
  const { body } = await platform.anonymous.get(`/organizations?q=${encodeURIComponent(q)}`);
  expect(body.data[0]?.name).toBe(name);
});

test('pages of a search have the order of the complete result', async () => {
  const whole = await platform.anonymous.get('/organizations?q=arsenal');
  const [first, second] = whole.body.data.map((each: { id: string }) => each.id);
  const page = await platform.anonymous.get('/organizations?q=arsenal&limit=1');
  const next = await platform.anonymous.get(
    `/organizations?q=arsenal&limit=1&cursor=${encodeURIComponent(page.body.page.nextCursor)}`,
  );
  expect([page.body.data[0].id, next.body.data[0].id]).toEqual([first, second]);
  expect(next.body.page).toMatchObject({ nextCursor: null, hasMore: false });
  const backwards = await platform.anonymous.get('/organizations?q=arsenal&sort=-name');
  expect(backwards.body.data[0].name).toBe('FC Arsenal Kyiv');
});
