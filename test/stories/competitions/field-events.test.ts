/** High jumps and long jumps with their attempts: countback, wind, and what the rankings say decided. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { holdMeet } from './meets.ts';

let platform: TestPlatform;
let owner: Client;
const athletes = new Map<string, string>();
const names = ['Ada', 'Bea', 'Cleo', 'Dora'];
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Athletics' });
  for (const displayName of names) {
    const sports = [{ sport: 'ATHLETICS' }];
    const { id } = await createAthlete(owner, { displayName, sports, status: 'ACTIVE', dateOfBirth: bornFor(24, 10) });
    athletes.set(displayName, id);
  }
});
afterAll(() => platform.close());

const meet = (eventCode: string) => holdMeet(owner, athletes, { sport: 'ATHLETICS', discipline: 'FIELD' }, { eventCode }, names);

/** `1.90 o 1.95 xo 2.00 xxx` as the result sheet has it. */
const jumps = (text: string) => ({
  attempts: [...text.matchAll(/(\d+\.\d+) ([ox-]+)/g)].flatMap(([, height, marks = '']) =>
    marks.split('').map((mark) => ({
      value: Math.round(Number(height) * 1000),
      outcome: mark === 'o' ? 'VALID' : mark === 'x' ? 'FAILED' : 'PASSED',
    })),
  ),
});

/** `8.30/+1.2 x 8.10/-0.4`: distances with wind, and fouls. */
const series = (text: string) => ({
  attempts: text.split(' ').map((word) => {
    const [distance, wind] = word.split('/').map(Number);
    return word === 'x'
      ? { outcome: 'FAILED' }
      : { outcome: 'VALID', value: Math.round((distance ?? 0) * 1000), windMmPerS: Math.round((wind ?? 0) * 1000) };
  }),
});

interface Row {
  readonly position: number | null;
  readonly participant: { readonly athlete: { readonly displayName: string } };
  readonly mark: { readonly value: number } | null;
  readonly separatedBy: string | null;
  readonly invalidResultMark: string | null;
  readonly windAssisted: boolean;
}

const rowsOf = async (stageId: string): Promise<Row[]> =>
  (await platform.anonymous.get(`/competitions/rankings?stageId=${stageId}`)).body.data;
const nameOf = ({ participant }: Row): string => participant.athlete.displayName;

test('a high jump is decided by failures at the last height, then by all failures until then', async () => {
  const { final, swims } = await meet('HIGH_JUMP');
  const matchId = await swims({
    Ada: jumps('1.90 o 1.95 xo 2.00 xxx'),
    Bea: jumps('1.90 xo 1.95 xo 2.00 xxx'),
    Cleo: jumps('1.90 - 1.95 o 2.00 xx-'),
    Dora: jumps('1.90 xxx'),
  });
  const rows = await rowsOf(final.id);
  expect(rows.map((row) => [row.position, nameOf(row), row.mark?.value ?? row.invalidResultMark, row.separatedBy])).toEqual([
    [1, 'Cleo', 1950, 'COUNTBACK'],
    [2, 'Ada', 1950, 'COUNTBACK'],
    [3, 'Bea', 1950, 'COUNTBACK'],
    [null, 'Dora', 'NH', null],
  ]);
  const { body } = await platform.anonymous.get(`/competitions/matches/${matchId}/result`);
  expect(body.participants[0]).toMatchObject({ countback: [-1, -1], mark: { value: 1950, unit: 'mm' } });
  expect(body.participants[0].attempts.slice(0, 2)).toEqual([
    { outcome: 'VALID', value: 1900, windMmPerS: null },
    { outcome: 'FAILED', value: 1950, windMmPerS: null },
  ]);
});

test('a pole vault: fewer failures at the winning height, then fewer in all, then a shared place', async () => {
  const { final, swims } = await meet('POLE_VAULT');
  await swims({
    Ada: jumps('4.50 o 4.70 xo 4.80 xxx'),
    Bea: jumps('4.50 xo 4.70 o 4.80 xxx'),
    Cleo: jumps('4.50 - 4.70 xo 4.80 x- 4.85 xx'),
    Dora: jumps('4.50 xxo 4.70 xo 4.80 xxx'),
  });
  const rows = await rowsOf(final.id);
  expect(rows.map((row) => [row.position, nameOf(row), row.mark?.value, row.separatedBy]).toSorted()).toEqual([
    [1, 'Bea', 4700, 'COUNTBACK'],
    [2, 'Ada', 4700, 'COUNTBACK'],
    [2, 'Cleo', 4700, 'COUNTBACK'],
    [4, 'Dora', 4700, 'COUNTBACK'],
  ]);
});

test('a long jump is decided by the second-best attempt, and the wind is that of the best one', async () => {
  const { final, swims } = await meet('LONG_JUMP');
  await swims({
    Ada: series('8.30/+1.9 x 8.05/+0.1'),
    Bea: series('8.11/-0.3 8.30/+0.4 x'),
    Cleo: series('8.45/+2.4 7.90/+0.0'),
    Dora: series('x x x'),
  });
  const rows = await rowsOf(final.id);
  expect(rows.map((row) => [row.position, nameOf(row), row.windAssisted, row.separatedBy ?? row.invalidResultMark])).toEqual([
    [1, 'Cleo', true, null],
    [2, 'Bea', false, 'COUNTBACK'],
    [3, 'Ada', false, 'COUNTBACK'],
    [null, 'Dora', false, 'NM'],
  ]);
});

describe('rejected', () => {
  test.each([
    ['LONG_JUMP', { attempts: [{ outcome: 'VALID' }] }, '/result/participants/0/attempts/0/value', 'required'],
    ['HIGH_JUMP', jumps('1.95 o 1.90 o'), '/result/participants/0/attempts/1/value', 'not_ascending'],
    ['HIGH_JUMP', { attempts: [{ outcome: 'FAILED' }] }, '/result/participants/0/attempts/0/value', 'required'],
    ['SHOT_PUT', { ...series('8.30/0'), mark: { value: 8400 } }, '/result/participants/0/mark', 'contradiction'],
    ['100M', { ...series('8.30/0') }, '/result/participants/0/attempts', 'not_for_event'],
  ])('%s %j', async (eventCode, result, pointer, code) => {
    const { season, final, entered } = await meet(eventCode);
    const participantId = entered.get('Ada');
    const { status, body } = await owner.post('/competitions/matches', {
      seasonId: season.id,
      stageId: final.id,
      participants: [{ participantId }],
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: [{ participantId, ...result }] },
    });
    expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, pointer, code]);
  });
});
