/** The best third-placed teams of all groups advance, as in the World Cup 2026 and the European Championship. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let stageId: string;

interface Row {
  readonly group: string | null;
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly qualified: boolean | null;
}

/** Three groups of three: A1 beats A2 and A3, A2 beats A3, by the given goals. */
const groups = ['A', 'B', 'C'];
const names = groups.flatMap((group) => [1, 2, 3].map((place) => `${group}${place}`));

const rows = async (): Promise<Row[]> =>
  (await owner.get(`/competitions/rankings?stageId=${stageId}&limit=100`)).body.data as Row[];
const advancing = async (value: boolean | null): Promise<string[]> =>
  (await rows())
    .filter(({ group, qualified }) => group !== null && qualified === value)
    .map(({ participant }) => participant.name)
    .toSorted();
const acrossGroups = async (): Promise<string[]> =>
  (await rows())
    .filter(({ group }) => group === null)
    .map(({ position, participant, qualified }) => `${position} ${participant.name} ${String(qualified)}`);

const stages = (): string => `/competitions/seasons/${league.seasonId}/stages`;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
  league = await playLeague(owner, names, { name: 'Cup', type: 'CUP' });
  const advancement = [
    { by: 'PLACE', count: 1 },
    { by: 'NEXT_PLACED', count: 2 },
  ];
  const { status, body } = await owner.post(stages(), { name: 'Groups', type: 'GROUP', groups, advancement });
  expect([status, body.detail]).toEqual([201, undefined]);
  stageId = body.id;
  for (const [index, id] of league.participants.entries()) {
    const path = `/competitions/seasons/${league.seasonId}/participants/${id}`;
    await owner.patch(path, { group: groups[Math.floor(index / 3)] }, { 'if-match': '*' });
  }
});
afterAll(() => platform.close());

test('nobody is certain before the last match; then the best second-placed teams of all groups advance', async () => {
  const { played, fixture, finish, put, step } = scoring(owner, league);
  const last = await fixture([7, 8], { stageId, group: 'C' });
  // the second-placed teams have 3 points each, and a difference of 0, +2 and +1
  for (const [group, name] of groups.entries()) {
    const [one, two, three] = [group * 3, group * 3 + 1, group * 3 + 2];
    await played([one, two], [1, 0], { stageId, group: name });
    await played([one, three], [2, 0], { stageId, group: name });
    if (name !== 'C') await played([two, three], [1 + group * 2, 0], { stageId, group: name });
  }
  expect(await advancing(true)).toEqual(['A1', 'B1']);
  expect(await advancing(false)).toEqual(['A3', 'B3']);
  expect(await acrossGroups()).toEqual(['1 B2 null', '2 A2 null', '3 C2 null']);
  await finish(last);
  await put(last.id, scored(last.sides, 2, 0));
  await step(last.id, 'certify');
  expect(await acrossGroups()).toEqual(['1 B2 true', '2 C2 true', '3 A2 false']);
  expect(await advancing(true)).toEqual(['A1', 'B1', 'B2', 'C1', 'C2']);
  expect(await advancing(false)).toEqual(['A2', 'A3', 'B3', 'C3']);
});

test('a decision without a group orders those placed next who are level', async () => {
  const cup = await playLeague(owner, ['D1', 'D2', 'E1', 'E2'], { name: 'Small cup', type: 'CUP' });
  const path = `/competitions/seasons/${cup.seasonId}`;
  const advancement = [
    { by: 'PLACE', count: 1 },
    { by: 'NEXT_PLACED', count: 1 },
  ];
  const { body: stage } = await owner.post(`${path}/stages`, { name: 'Groups', type: 'GROUP', groups: ['D', 'E'], advancement });
  const { played } = scoring(owner, cup);
  await played([0, 1], [1, 0], { stageId: stage.id, group: 'D' });
  await played([2, 3], [1, 0], { stageId: stage.id, group: 'E' });
  const qualified = async (): Promise<unknown[]> => {
    const { body } = await owner.get(`/competitions/rankings?stageId=${stage.id}`);
    return body.data
      .filter(({ group }: Row) => group === null)
      .map((row: Row) => [row.position, row.participant.name, row.qualified]);
  };
  expect((await qualified()).map((row) => [row].flat().filter((value) => typeof value !== 'string'))).toEqual([
    [1, null],
    [1, null],
  ]);
  const decision = {
    stageId: stage.id,
    participantIds: [cup.participants[3], cup.participants[1]],
    criterion: 'DRAW_OF_LOTS',
    reason: 'Drawn',
  };
  const { status, body } = await owner.post(`${path}/tie-break-decisions`, decision);
  expect([status, body.errors]).toEqual([201, undefined]);
  expect(await qualified()).toEqual([
    [1, 'E2', true],
    [2, 'D2', false],
  ]);
});

test.each([
  [{ type: 'LEAGUE', advancement: [{ by: 'MARK', count: 2 }] }, '/advancement/0/by', 'no_effect'],
  [{ type: 'GROUP', groups, advancement: [{ by: 'NEXT_PLACED', count: 2 }] }, '/advancement/0/by', 'no_effect'],
  [
    {
      type: 'GROUP',
      advancement: [
        { by: 'PLACE', count: 1 },
        { by: 'NEXT_PLACED', count: 2 },
      ],
    },
    '/advancement/1/by',
    'no_effect',
  ],
  [
    {
      type: 'HEATS',
      groups,
      advancement: [
        { by: 'PLACE', count: 1 },
        { by: 'NEXT_PLACED', count: 2 },
      ],
    },
    '/advancement/1/by',
    'no_effect',
  ],
])('a rule without effect is rejected: %j', async (stage, pointer, code) => {
  const { status, body } = await owner.post(stages(), { name: 'Other', ...stage });
  expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, pointer, code]);
});
