/** Divisions of conferences, and the tie-breaks of the NBA. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { leagueTables, places, tieBreakOf, type Row } from './league-tables.ts';
import type { League } from './leagues.ts';

let platform: TestPlatform;
let owner: Client;
let tables: ReturnType<typeof leagueTables>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Association' });
  tables = leagueTables(owner);
});
afterAll(() => platform.close());

describe('an NBA season of two conferences with three divisions each', () => {
  const divisions: { readonly [name: string]: readonly [string, string] } = {
    Boston: ['East', 'Atlantic'], Knicks: ['East', 'Atlantic'], Toronto: ['East', 'Atlantic'],
    Chicago: ['East', 'Central'], Detroit: ['East', 'Central'],
    Miami: ['East', 'Southeast'], Orlando: ['East', 'Southeast'],
    Denver: ['West', 'Northwest'], Utah: ['West', 'Northwest'],
    Lakers: ['West', 'Pacific'], Suns: ['West', 'Pacific'],
    Dallas: ['West', 'Southwest'], Houston: ['West', 'Southwest'],
  }; // prettier-ignore
  const names = Object.keys(divisions);
  let league: League;
  let stageId: string;
  const conference = async (name: string): Promise<Row[]> => (await tables.rowsOf(stageId)).filter(({ group }) => group === name);

  beforeAll(async () => {
    ({ league, stageId } = await tables.open(
      names,
      { name: 'Association', sport: 'BASKETBALL', rankingRules: { ruleSet: 'BASKETBALL_NBA' } },
      ['East', 'West'],
    ));
    await tables.enter(league, names, (name) => ({ group: divisions[name]?.[0], division: divisions[name]?.[1] }));
    await tables.play(league, names, stageId, [
      // Boston wins the Atlantic division. Knicks and Toronto: 2-2, one direct match each, 2-1 and 1-2 in the division.
      'Boston 2-1 Toronto', 'Boston 2-1 Utah', 'Boston 2-1 Suns', 'Boston 2-1 Houston', 'Boston 2-1 Chicago', 'Knicks 2-1 Boston',
      'Knicks 2-1 Toronto', 'Toronto 2-1 Knicks', 'Utah 2-1 Knicks', 'Toronto 2-1 Utah',
      // Chicago, Miami and Orlando: 1-2. Miami wins its division by the direct match. Miami is 1-0 in the conference, Chicago 1-1.
      'Chicago 2-1 Detroit', 'Lakers 2-1 Chicago', 'Miami 2-1 Orlando', 'Lakers 2-1 Miami', 'Suns 2-1 Miami', 'Orlando 2-1 Lakers',
      'Suns 2-1 Orlando', 'Dallas 2-1 Detroit',
      // Lakers and Denver: 3-2. Denver wins its division, but lost the direct match.
      'Suns 2-1 Lakers', 'Lakers 2-1 Denver', 'Dallas 2-1 Denver', 'Denver 2-1 Utah', 'Denver 2-1 Utah', 'Denver 2-1 Houston',
    ]); // prettier-ignore
  });

  test('rows have the division and the record in it', async () => {
    const east = await conference('East');
    expect(east.find(({ participant }) => participant.name === 'Boston')).toMatchObject({
      division: 'Atlantic',
      divisionRecord: { won: 1, draw: 0, lost: 1 },
      groupRecord: { won: 2, draw: 0, lost: 1 },
    });
    expect(east.find(({ participant }) => participant.name === 'Knicks')).toMatchObject({
      divisionRecord: { won: 2, draw: 0, lost: 1 },
      groupRecord: { won: 2, draw: 0, lost: 1 },
    });
  });

  test('a tie of two is decided by the record in their division', async () => {
    const east = await conference('East');
    expect(places(east)).toContain('2 Knicks, 3 Toronto');
    expect(tieBreakOf(east, 'Knicks')).toEqual(['DIVISION_WIN_PERCENTAGE', 4, 6]);
  });

  test('a tie of three has the division winners above, in the order of their records in the conference', async () => {
    const east = await conference('East');
    expect(places(east)).toContain('4 Miami, 5 Chicago, 6 Orlando');
    expect(tieBreakOf(east, 'Orlando')).toEqual(['DIVISION_WINNER_IF_THREE_TIED', 0, null]);
    expect(tieBreakOf(east, 'Miami')).toEqual(['GROUP_WIN_PERCENTAGE', 2, 2]);
    expect(tieBreakOf(east, 'Chicago')).toEqual(['GROUP_WIN_PERCENTAGE', 2, 4]);
  });

  test('a tie of two is decided by the direct match, also against a division winner', async () => {
    const west = await conference('West');
    expect(places(west)).toBe('1 Dallas, 2 Suns, 3 Lakers, 4 Denver, 5 Utah, 6 Houston');
    expect(tieBreakOf(west, 'Lakers')).toEqual(['HEAD_TO_HEAD_WIN_PERCENTAGE', 2, 2]);
  });

  test('a division is changed and deleted by a patch, and set by a batch', async () => {
    const path = `/competitions/seasons/${league.seasonId}/participants`;
    const id = league.participants[names.indexOf('Toronto')] ?? '';
    const removed = await owner.patch(`${path}/${id}`, { division: null }, { 'if-match': '*' });
    expect(removed.body).toMatchObject({ group: 'East', division: null });
    const row = (await conference('East')).find(({ participant }) => participant.id === id);
    expect([row?.division, row?.divisionRecord]).toEqual([null, null]);
    const { body: team } = await owner.post('/organizations/teams', {
      name: 'Seattle',
      sport: 'BASKETBALL',
      category: 'MEN',
      country: 'US', // prettier-ignore
    });
    const item = { type: 'TEAM', teamId: team.id, group: 'West', division: 'Northwest' };
    const { body } = await owner.post(`${path}/batch`, {
      items: [{ ...item, externalIds: [{ scheme: 'TEST', value: 'seattle' }] }],
    });
    const created = await owner.get(`${path}/${body.data[0].id}`);
    expect(created.body).toMatchObject({ group: 'West', division: 'Northwest' });
    const graph = await owner.graphql(
      'query ($id: ID!) { participant(id: $id) { division } rankings(filter: { stageId: "' +
        stageId +
        '" }) { nodes { division divisionRecord { won } } } }',
      { id: body.data[0].id },
    );
    expect(graph.body.data.participant).toEqual({ division: 'Northwest' });
    expect(graph.body.data.rankings.nodes).toContainEqual({ division: 'Atlantic', divisionRecord: { won: 1 } });
  });
});

test('a tie of three with unequal numbers of direct matches is decided by percentage, not by wins', async () => {
  const names = ['Ants', 'Bees', 'Cats', 'Dogs', 'Emus'];
  const facts = { name: 'Percentages', sport: 'BASKETBALL', rankingRules: { ruleSet: 'BASKETBALL_NBA' } };
  const { league, stageId } = await tables.open(names, facts, []);
  // Direct matches: Bees 1-0, Ants 2-2, Cats 2-3. By wins, Bees would be last.
  await tables.play(league, names, stageId, [
    'Ants 2-1 Cats', 'Ants 2-1 Cats', 'Cats 2-1 Ants', 'Cats 2-1 Ants', 'Bees 2-1 Cats',
    'Cats 2-1 Dogs', 'Dogs 2-1 Bees', 'Dogs 2-1 Emus',
  ]); // prettier-ignore
  const rows = await tables.rowsOf(stageId);
  expect(places(rows)).toBe('1 Dogs, 2 Bees, 3 Ants, 4 Cats, 5 Emus');
  expect(tieBreakOf(rows, 'Cats')).toEqual(['HEAD_TO_HEAD_WIN_PERCENTAGE', 4, 10]);
});
