/** The World Cup of 2026 through the public APIs: twelve groups, and the best eight third-placed teams in the round of 32. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { readData } from '../open-data.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { hasNoChanges, importOpenData } from './import-open-data.ts';
import { counts } from './run-importer.ts';

interface Row {
  readonly group: string | null;
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly qualified: boolean | null;
}

const { matches } = readData<{
  readonly matches: readonly { readonly round: string; readonly team1: string; readonly team2: string }[];
}>('worldcup/2026.json');
const published = matches
  .filter(({ round }) => round === 'Round of 32')
  .flatMap(({ team1, team2 }) => [team1, team2])
  .toSorted();

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let id: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account();
  const run = await importOpenData(platform, owner.key, 'worldcup', 'worldcup/2026.json');
  expect([run.code, counts(run, 'matches')]).toEqual([0, { rows: 104, created: 104, updated: 0, unchanged: 0, rejected: 0 }]);
  id = (await owner.get('/competitions/seasons?mine=true&externalId=OPENFOOTBALL:world-cup/2026')).body.data[0].id;
});
afterAll(() => platform.close());

test('the season has the rules of FIFA for 2026, with direct matches first', async () => {
  const { body } = await owner.get(`/competitions/seasons/${id}`);
  expect(body.rankingRules.order.slice(0, 2)).toEqual(['POINTS', 'HEAD_TO_HEAD_POINTS']);
  const { body: stages } = await owner.get(`/competitions/seasons/${id}/stages`);
  expect(stages.data[0].advancement).toMatchObject([
    { by: 'PLACE', count: 2 },
    { by: 'NEXT_PLACED', count: 8 },
  ]);
});

test('the qualified teams are those of the round of 32', async () => {
  const rows: Row[] = (await platform.anonymous.get(`/competitions/rankings?seasonId=${id}&limit=100`)).body.data;
  const qualified = rows.filter((row) => row.group !== null && row.qualified === true);
  expect(qualified.map(({ participant }) => participant.name).toSorted()).toEqual(published);
  expect(qualified.filter(({ position }) => position === 3)).toHaveLength(8);
  expect(rows.filter(({ group }) => group === null)).toHaveLength(12);
});

test('the bracket leads to the champion', async () => {
  const { body } = await platform.anonymous.get(`/competitions/seasons/${id}/bracket`);
  expect([body.champion.name, body.runnerUp.name]).toEqual(['Spain', 'Argentina']);
  expect(body.rounds[0].ties).toHaveLength(16);
});

test('a second import changes nothing', async () => {
  expect(hasNoChanges(await importOpenData(platform, owner.key, 'worldcup', 'worldcup/2026.json'))).toBe(true);
});
