/** What the importer rejects before it writes, and what a second import leaves alone, against the platform. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { dataFolder } from '../open-data.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { counts, runImporter, type Run } from './run-importer.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account();
  folder = await mkdtempDisposable(join(tmpdir(), 'import-'));
});
afterAll(async () => {
  await folder.remove();
  await platform.close();
});

const match = (team1: string, team2: string, facts: object = {}) => ({
  round: 'Matchday 1',
  date: '2018-08-11',
  team1,
  team2,
  score: { ft: [1, 0] },
  ...facts,
});

async function importing(command: string, file: object, ...options: readonly string[]): Promise<Run> {
  const path = join(folder.path, 'en.1.json');
  await writeFile(path, JSON.stringify(file));
  return runImporter([command, path, '--url', platform.restUrl, ...options], { API_KEY: owner.key });
}

let seasons = 0;
const league = (...matches: readonly object[]) => ({ name: `League ${(seasons += 1)} 2018/19`, matches });
const table = async (file: { readonly name: string }, members: readonly string[]): Promise<string[]> => {
  const key = file.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-2018-19$/, '/2018-19');
  const { body: found } = await owner.get(`/competitions/seasons?mine=true&externalId=OPENFOOTBALL:${key}`);
  const { body } = await owner.get(`/competitions/rankings?seasonId=${found.data[0].id}&limit=100`);
  return body.data.map((row: Readonly<Record<string, unknown>> & { readonly participant: { readonly name: string } }) =>
    [row.participant.name, ...members.map((member) => row[member])].join(' '),
  );
};

test('the same match twice is rejected once, and counts once', async () => {
  const file = league(match('Alpha', 'Beta'), match('Alpha', 'Beta'), match('Beta', 'Alpha'));
  const run = await importing('season', file);
  expect([run.code, counts(run, 'matches')]).toEqual([2, { rows: 3, created: 2, updated: 0, unchanged: 0, rejected: 1 }]);
  expect(run.out).toContain('match 2: Alpha – Beta: the same match as match 1');
  expect(await table(file, ['matchesPlayed', 'points'])).toEqual(['Alpha 2 3', 'Beta 2 3']);
});

test('scores as text count, unreadable scores and implausible years are rejected', async () => {
  const file = league(
    match('Alpha', 'Beta', { score: '2-1' }),
    match('Beta', 'Alpha', { date: '2018-09-01', score: [0, 3] }),
    match('Alpha', 'Gamma', { score: 'two to one' }),
    match('Beta', 'Gamma', { date: '1910-08-11' }),
    match('Gamma', 'Beta', { date: '2081-08-11' }),
    match('Gamma', 'Alpha', { date: '2019-05-12' }),
  );
  const run = await importing('season', file);
  expect([run.code, counts(run, 'matches')]).toMatchObject([2, { created: 3, rejected: 3 }]);
  expect(run.out).toContain('match 3: Alpha – Gamma: score is invalid');
  expect(run.out).toContain('the year of 1910-08-11 is not plausible: most matches are in 2018');
  expect(await table(file, ['points', 'scoreFor'])).toEqual(['Alpha 6 5', 'Gamma 3 1', 'Beta 0 1']);
});

test('a second import keeps the ranking rules of the organizer, unless the options name rules', async () => {
  const file = league(match('Alpha', 'Beta'));
  const rules = async () => {
    const { body } = await owner.get(`/competitions?mine=true&q=${encodeURIComponent(file.name.slice(0, -8))}`);
    return body.data[0];
  };
  await importing('season', file, '--points', '2-1-0');
  expect((await rules()).rankingRules).toMatchObject({ points: { win: 2, draw: 1, loss: 0 } });
  const changed = { rankingRules: { points: { win: 4, draw: 2, loss: 0 } } };
  expect(await owner.patch(`/competitions/${(await rules()).id}`, changed, { 'if-match': '*' })).toMatchObject({ status: 200 });
  const again = await importing('season', file);
  expect(counts(again, 'competitions')).toMatchObject({ updated: 0, unchanged: 1 });
  expect((await rules()).rankingRules.points).toMatchObject({ win: 4 });
});

test('a corrected score is rejected without a reason, and written with one', async () => {
  const teams = ['Alpha', 'Beta'] as const;
  const file = league(match(...teams));
  expect((await importing('season', file)).code).toBe(0);
  const corrected = { ...file, matches: [match(...teams, { score: { ft: [1, 1] } })] };
  const rejected = await importing('season', corrected);
  expect([rejected.code, counts(rejected, 'matches').rejected]).toEqual([2, 1]);
  const run = await importing('season', corrected, '--correct', 'Protest upheld');
  expect([run.code, counts(run, 'matches')]).toMatchObject([0, { updated: 1, rejected: 0 }]);
  expect(await table(file, ['points'])).toEqual(['Alpha 1', 'Beta 1']);
  expect(counts(await importing('season', corrected), 'matches')).toMatchObject({ unchanged: 1 });
});

describe('nothing is written', () => {
  const cup = {
    name: 'World Cup 2030',
    matches: [match('Spain', 'Uruguay', { group: 'Group A' }), match('Portugal', 'Chile', { round: 'Final' })],
  };
  const split = league(match('Alpha', 'Beta'), match('Beta', 'Alpha', { round: 'Championship, Matchday 2', date: '2018-09-01' }));
  const finals = league(match('Alpha', 'Beta'), match('Beta', 'Alpha', { round: 'Semi-final', date: '2018-09-01' }));
  const regular = league(match('Alpha', 'Beta'));

  test.each([
    ['season', cup, 'Use the command worldcup'],
    ['worldcup', regular, 'Use the command season'],
    ['squads', regular, ''],
    ['season', split, 'The season is split: it has the phases Championship. Say which results'],
    ['season', finals, 'The file has knock-out rounds (Semi-final)'],
  ])('%s of another file', async (command, file, text) => {
    const count = async () => (await owner.get('/competitions?mine=true&limit=100')).body.data.length;
    const before = await count();
    const run = await importing(command, file);
    expect([run.code, run.err]).toEqual([1, expect.stringContaining(text)]);
    expect(await count()).toBe(before);
  });

  test.each([
    [
      ['Matchday 1', 'Meisterrunde 1', 'Championship Round 2', 'Relegation Group'],
      '2018',
      'These rounds cannot be placed: Meisterrunde 1, Ch',
    ],
    [['Matchday 1', 'Matchday 2'], '2081', 'The season starts in 2081.'],
    [['Matchday 1', 'Matchday 2'], '1810', 'The season starts in 1810.'],
  ])('season of a file with the rounds %j in %s, exit code 2', async (rounds, year, text) => {
    const file = league(...rounds.map((round, index) => match('Alpha', 'Beta', { round, date: `${year}-0${index + 1}-11` })));
    const count = async () => (await owner.get('/competitions?mine=true&limit=100')).body.data.length;
    const before = await count();
    const run = await importing('season', file);
    expect([run.code, run.err]).toEqual([2, expect.stringContaining(text)]);
    expect(await count()).toBe(before);
  });

  test('with a key that lacks a scope', async () => {
    const reader = await platform.account({ account: 'Reader', scopes: ['organizations:write'] });
    const run = await importing('season', league(match('Alpha', 'Beta')), '--key', reader.key);
    expect([run.code, run.err]).toEqual([
      1,
      expect.stringContaining('The key lacks the scope competitions:write. Nothing was written.'),
    ]);
    expect((await reader.get('/organizations?mine=true')).body.data).toEqual([]);
  });

  test.each([
    ['clubs', 'clubs/clubs.csv'],
    ['squads', 'worldcup/2026.squads.json'],
    ['season', 'football/2018-19_en.1.json'],
    ['worldcup', 'worldcup/2018.json'],
    ['swimming', 'swimming/worlds2022.csv'],
    ['tour', 'cycling/tdf_gc.csv'],
  ])('--check of %s', async (command, file) => {
    const run = await runImporter([command, join(dataFolder, file), '--check', '--url', 'http://127.0.0.1:9']);
    expect(run.err).toBe('');
    expect([0, 2]).toContain(run.code);
    expect(run.out).toMatch(/rows +valid +rejected/);
    expect(run.out).toContain('Nothing was sent.');
  });

  test('--check of universities', async () => {
    const path = join(folder.path, 'universities.csv');
    const lines = [
      'name,country_alpha2,state_province,domain,web_page',
      'University of Oxford,GB,,ox.ac.uk,https://www.ox.ac.uk/',
      'University of Nowhere,ZZ,,nowhere.example,https://nowhere.example/',
    ];
    await writeFile(path, lines.join('\n'));
    const run = await runImporter(['universities', path, '--check', '--url', 'http://127.0.0.1:9']);
    expect([run.code, run.err]).toEqual([2, '']);
    expect(run.out).toMatch(/^organizations +2 +1 +1$/m);
    expect(run.out).toContain('unknown country: ZZ');
    expect(run.out).toContain('Nothing was sent.');
  });
});

test('a World Cup with dissolved states is rejected as a whole, or imported with their successors', async () => {
  const group = { group: 'Group 1', date: '1974-06-22' };
  const matches = [
    match('West Germany', 'East Germany', group),
    match('Soviet Union', 'Czechoslovakia', group),
    match('Yugoslavia', 'East Germany', group),
  ];
  const file = { name: 'Small Cup 1974', matches };
  const found = async () =>
    (await owner.get('/competitions/seasons?mine=true&externalId=OPENFOOTBALL:small-cup/1974')).body.data.length;
  const rejected = await importing('worldcup', file);
  expect([rejected.code, rejected.err, await found()]).toEqual([
    2,
    expect.stringContaining('Soviet Union existed from 1922 to 1991'),
    0,
  ]);
  const run = await importing('worldcup', file, '--successors');
  expect([run.code, counts(run, 'teams').created, counts(run, 'matches').created, await found()]).toEqual([0, 5, 3, 1]);
});

test('a split season is imported with the results that count', async () => {
  const first = [match('Alpha', 'Beta', { score: { ft: [3, 0] } }), match('Gamma', 'Alpha', { date: '2018-08-18' })];
  const last = match('Beta', 'Alpha', { round: 'Championship, Matchday 2', date: '2018-09-01' });
  const file = league(...first, last, match('Gamma', 'Delta', { round: 'Relegation, Matchday 2', date: '2018-09-01' }));
  const run = await importing('season', file, '--split', 'all');
  expect([run.code, counts(run, 'matches').created]).toEqual([0, 4]);
  expect((await table(file, ['group', 'position', 'matchesPlayed', 'points'])).slice(4)).toEqual([
    'Alpha Championship 1 3 3',
    'Beta Championship 2 2 3',
    'Gamma Relegation 3 2 6',
    'Delta Relegation 4 1 0',
  ]);
});
