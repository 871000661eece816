/** League seasons through the public APIs: imported with few requests, their tables equal those of the organizers. */
import { readFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openClubs } from '../../examples/import/club-book.ts';
import type { Client } from '../client.ts';
import { readData, dataFolder } from '../open-data.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { hasNoChanges, importOpenData } from './import-open-data.ts';
import { counts } from './run-importer.ts';

interface Table {
  readonly rows: readonly {
    readonly position: number;
    readonly team: string;
    readonly playedGames: number;
    readonly won: number;
    readonly draw: number;
    readonly lost: number;
    readonly goalsFor: number;
    readonly goalsAgainst: number;
    readonly points: number;
  }[];
}

interface Row {
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly points: number;
  readonly pointsDeducted: { readonly value: number; readonly reasons: readonly string[] } | null;
  readonly tieBreak: {
    readonly criterion: string;
    readonly value: { readonly value: number };
    readonly against: readonly { readonly value: { readonly value: number } }[];
  } | null;
}

describe('a league season', () => {
  const aliases = join(dataFolder, 'clubs/clubs.csv');
  const tables = readData<Record<string, Table>>('football/final-tables.json');
  const clubs = readFileSync(aliases, 'utf8');
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  beforeAll(async () => {
    platform = await openTestPlatform();
    owner = await platform.account();
    // The clubs of one season, imported before it.
    const lines = clubs.split('\n');
    const clubOf = openClubs(clubs, 'eng');
    const names = new Set((tables['2018-19_en.1']?.rows ?? []).map(({ team }) => clubOf(team).name));
    await using folder = await mkdtempDisposable(join(tmpdir(), 'import-'));
    const file = join(folder.path, 'clubs.csv');
    await writeFile(file, [lines[0], ...lines.filter((line) => names.has(line.split(',')[0] ?? ''))].join('\n'));
    await importOpenData(platform, owner.key, 'clubs', file);
  });
  afterAll(() => platform.close());

  const seasonId = async (key: string): Promise<string> =>
    (await owner.get(`/competitions/seasons?mine=true&externalId=OPENFOOTBALL:${key}`)).body.data[0].id;

  /** By the club's main name, whichever name a file or table uses. */
  const lineOf = (country: string) => {
    const clubOf = openClubs(clubs, country);
    return {
      published: (row: Table['rows'][number]) => [
        row.position,
        clubOf(row.team).name,
        row.playedGames,
        row.won,
        row.draw,
        row.lost,
        row.goalsFor,
        row.goalsAgainst,
        row.points,
      ],
      ranked: (row: Row) => [
        row.position,
        clubOf(row.participant.name).name,
        row.matchesPlayed,
        row.won,
        row.draw,
        row.lost,
        row.scoreFor,
        row.scoreAgainst,
        row.points,
      ],
    };
  };

  const members =
    'position participant { name } matchesPlayed won draw lost scoreFor scoreAgainst points pointsDeducted { value reasons }';
  const overGraphql = async (id: string): Promise<readonly Row[]> => {
    const query = `query ($id: ID!) { rankings(first: 100, filter: { seasonId: $id }) { nodes { ${members} tieBreak { criterion value { value } against { value { value } } } } } }`;
    return (await platform.anonymous.graphql(query, { id })).body.data.rankings.nodes;
  };
  const overRest = async (id: string): Promise<readonly Row[]> =>
    (await platform.anonymous.get(`/competitions/rankings?seasonId=${id}&limit=100`)).body.data;

  const seasons = [
    ['2018-19_en.1', 'english-premier-league/2018-19', ['--time-zone', 'Europe/London']],
    ['2018-19_es.1', 'primera-division-de-espana/2018-19', ['--tie-break', 'head-to-head']],
    [
      '2023-24_en.1',
      'english-premier-league/2023-24',
      [
        '--deduct',
        'Everton FC=8:Breaches of the spending rules',
        '--deduct',
        'Nottingham Forest FC=4:Breach of the spending rules',
      ],
    ],
  ] as const;

  test.each(seasons)('%s: all twenty rows are those of the organizer, over REST and GraphQL', async (file, key, options) => {
    const run = await importOpenData(platform, owner.key, 'season', `football/${file}.json`, '--aliases', aliases, ...options);
    expect(counts(run, 'matches')).toEqual({ rows: 380, created: 380, updated: 0, unchanged: 0, rejected: 0 });
    expect(run.requests).toBeLessThan(20);
    if (file === '2018-19_en.1') expect(counts(run, 'organizations')).toMatchObject({ unchanged: 20 });
    const id = await seasonId(key);
    const { published, ranked } = lineOf(file.slice(8, 10) === 'en' ? 'eng' : 'es');
    const table = (tables[file]?.rows ?? []).map(published);
    expect(table).toHaveLength(20);
    const rest = await overRest(id);
    expect(rest.map(ranked)).toEqual(table);
    expect((await overGraphql(id)).map(ranked)).toEqual(table);
    expect((await platform.anonymous.get(`/competitions/seasons/${id}`)).body.status).toBe('FINISHED');
  });

  test('head-to-head explains why Getafe ranks above Sevilla: six points against none', async () => {
    const rows = await overRest(await seasonId('primera-division-de-espana/2018-19'));
    const row = (name: string) => rows.find(({ participant }) => participant.name === name);
    expect([row('Getafe CF'), row('Sevilla FC')]).toMatchObject([
      {
        position: 5,
        points: 59,
        tieBreak: { criterion: 'HEAD_TO_HEAD_POINTS', value: { value: 6 }, against: [{ value: { value: 0 } }] },
      },
      {
        position: 6,
        points: 59,
        tieBreak: { criterion: 'HEAD_TO_HEAD_POINTS', value: { value: 0 }, against: [{ value: { value: 6 } }] },
      },
    ]);
  });

  test('point deductions are returned with their reasons', async () => {
    const rows = await overRest(await seasonId('english-premier-league/2023-24'));
    expect(
      rows
        .filter(({ pointsDeducted }) => pointsDeducted !== null)
        .map(({ participant, pointsDeducted }) => [participant.name, pointsDeducted]),
    ).toEqual([
      ['Everton FC', { value: 8, reasons: ['Breaches of the spending rules'] }],
      ['Nottingham Forest FC', { value: 4, reasons: ['Breach of the spending rules'] }],
    ]);
  });

  test('a match starts at its local time, and further seasons use the existing clubs', async () => {
    const id = await seasonId('english-premier-league/2018-19');
    const { body } = await platform.anonymous.get(`/competitions/matches?seasonId=${id}&limit=1`);
    expect(body.data[0]).toMatchObject({ startTime: '2018-08-10T19:00:00.000Z', date: '2018-08-10', status: 'FINISHED' });
    const { body: arsenal } = await owner.get('/organizations?mine=true&externalId=OPENFOOTBALL:eng/arsenal-fc');
    expect(arsenal.data).toHaveLength(1);
    const teams = await owner.get(`/organizations/teams?mine=true&externalId=OPENFOOTBALL:eng/arsenal-fc`);
    const query = '($id: ID!) { team(id: $id) { matches(first: 100) { nodes { season { name } } } } }';
    const { body: found } = await platform.anonymous.graphql(`query ${query}`, { id: teams.body.data[0].id });
    const names: string[] = found.data.team.matches.nodes.map((match: { season: { name: string } }) => match.season.name);
    expect([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]).toSorted()).toEqual([
      ['2018/19', 38],
      ['2023/24', 38],
    ]);
  });

  test('a second import changes nothing', async () => {
    const [[file, , options]] = seasons;
    const run = await importOpenData(platform, owner.key, 'season', `football/${file}.json`, '--aliases', aliases, ...options);
    expect(counts(run, 'matches')).toMatchObject({ unchanged: 380, rejected: 0 });
    expect(hasNoChanges(run)).toBe(true);
  });
});
