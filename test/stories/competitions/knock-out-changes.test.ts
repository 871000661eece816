/** Placeholders whose source changes: other ties, other byes, other sources; and cycles of placeholders. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring, type Fixture } from './scores.ts';
import { always, createResource } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
let cup: League;
let at: ReturnType<typeof scoring>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Cup' });
  cup = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb'], { type: 'CUP' });
  at = scoring(owner, cup);
});
afterAll(() => platform.close());

type Entry = { entryId: string; participant: { name: string } | null };
const entries = async ({ id }: { id: string }): Promise<Entry[]> => (await platform.anonymous.get(at.path(id))).body.participants;
const sides = async (match: { id: string }) => (await entries(match)).map(({ participant }) => participant?.name ?? null);
const placeOf = async (match: { id: string }, index: number): Promise<string> =>
  `${at.path(match.id)}/participants/${(await entries(match))[index]?.entryId}`;
const waits = ({ id }: { id: string }, outcome = 'WINNER') => ({ placeholder: { sourceMatchId: id, outcome } });
const batch = async (value: string, participants: object[]) => {
  const item = { externalIds: [{ scheme: 'TEST', value }], seasonId: cup.seasonId, participants };
  return (await owner.post('/competitions/matches/batch', { items: [item] })).body.data[0];
};
const decide = (match: Fixture, ...scores: number[]) =>
  owner.post('/competitions/results/batch', {
    items: [{ matchId: match.id, status: 'OFFICIAL', ...scored(match.sides, ...scores) }],
  });
const violations = ({ body }: { body: { errors: { pointer: string; code: string }[] } }) =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a placeholder for a tie', () => {
  const tie = async (name: string) => {
    const leg = (sidesOfLeg: readonly number[], number: number) => at.fixture(sidesOfLeg, { tieId: name, leg: number });
    const [first, second] = [await leg([0, 1], 1), await leg([1, 0], 2)];
    const final = await at.fixture([waits(second), 2]);
    await decide(first, 2, 0);
    expect(await sides(final)).toEqual(['Rot', 'Grün']);
    return { first, second, final };
  };

  test('is decided again when the deciding match moves to another tie', async () => {
    const { first, final } = await tie('T1');
    expect((await owner.patch(at.path(first.id), { tieId: null }, always)).status).toBe(200);
    expect(await sides(final)).toEqual([null, 'Grün']);
    expect((await owner.patch(at.path(first.id), { tieId: 'T1' }, always)).status).toBe(200);
    expect(await sides(final)).toEqual(['Rot', 'Grün']);
  });

  test('is decided again when a leg is deleted or cancelled', async () => {
    for (const end of ['delete', 'cancel']) {
      const first = await at.fixture([0, { bye: true }], { tieId: end, leg: 1 });
      const second = await at.fixture([1, { bye: true }], { tieId: end, leg: 2 });
      const final = await at.fixture([waits(second), 2]);
      expect(await sides(final)).toEqual(['Rot', 'Grün']);
      const ended =
        end === 'delete' ? await owner.delete(at.path(first.id), always) : await owner.post(`${at.path(first.id)}/cancel`);
      expect(ended.status).toBe(200);
      expect(await sides(final)).toEqual(['Blau', 'Grün']);
    }
  });
});

describe('a placeholder for a bye', () => {
  test('is decided again when the other side or the bye changes', async () => {
    const match = await at.fixture([0, { bye: true }]);
    const final = await at.fixture([waits(match), 2]);
    expect(await sides(final)).toEqual(['Rot', 'Grün']);
    await owner.patch(await placeOf(match, 0), { participantId: cup.participants[1] }, always);
    expect(await sides(final)).toEqual(['Blau', 'Grün']);
    await owner.patch(await placeOf(match, 1), { bye: false, placeholder: { text: 'Nachrücker' } }, always);
    expect(await sides(final)).toEqual([null, 'Grün']);
    await owner.patch(await placeOf(match, 1), { bye: true, placeholder: null }, always);
    expect(await sides(final)).toEqual(['Blau', 'Grün']);
    expect((await owner.delete(await placeOf(match, 1), always)).status).toBe(200);
    expect(await sides(final)).toEqual([null, 'Grün']);
    expect((await owner.post(`${at.path(match.id)}/participants`, { bye: true })).status).toBe(201);
    expect(await sides(final)).toEqual(['Blau', 'Grün']);
  });

  test('is decided again by an import', async () => {
    const [red, blue] = cup.participants;
    const match = await batch('bye', [{ participantId: red }, { bye: true }]);
    const final = await at.fixture([waits(match), 2]);
    await batch('bye', [{ participantId: blue }, { bye: true }]);
    expect(await sides(final)).toEqual(['Blau', 'Grün']);
  });
});

test('a placeholder with another source loses the filled participant, but not one entered by the organizer', async () => {
  const [first, second] = [await at.played([0, 1], [1, 0]), await at.played([2, 3], [1, 0])];
  const open = await at.fixture([2, 3]);
  const final = await at.fixture([waits(first), { placeholder: { text: 'x' } }]);
  expect(await sides(final)).toEqual(['Rot', null]);
  await owner.patch(await placeOf(final, 0), waits(second, 'LOSER'), always);
  expect(await sides(final)).toEqual(['Gelb', null]);
  await owner.patch(await placeOf(final, 0), waits(open), always);
  expect(await sides(final)).toEqual([null, null]);
  await owner.patch(await placeOf(final, 0), { participantId: cup.participants[1] }, always);
  await owner.patch(await placeOf(final, 0), waits(second), always);
  expect(await sides(final)).toEqual(['Blau', null]);
});

test('two matches never wait for each other, neither by one batch nor by concurrent writes', async () => {
  const [one, other] = [await batch('c1', []), await batch('c2', [])];
  const item = (value: string, source: { id: string }) => ({
    externalIds: [{ scheme: 'TEST', value }],
    seasonId: cup.seasonId,
    participants: [waits(source)],
  });
  const { body } = await owner.post('/competitions/matches/batch', { items: [item('c1', other), item('c2', one)] });
  expect(body.summary).toMatchObject({ updated: 1, failed: 1 });
  expect(body.data[1].error.errors).toEqual([
    expect.objectContaining({ pointer: '/participants/0/placeholder/sourceMatchId', code: 'circular' }),
  ]);
  for (const _ of [1, 2, 3]) {
    const [left, right] = [await at.fixture([]), await at.fixture([])];
    const responses = await Promise.all([
      owner.post(`${at.path(left.id)}/participants`, waits(right)),
      owner.post(`${at.path(right.id)}/participants`, waits(left)),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  }
});

describe('a match of two sides', () => {
  test('rejects a third side, new or existing', async () => {
    const three = cup.participants.slice(0, 3).map((participantId) => ({ participantId }));
    const created = await owner.post('/competitions/matches', { seasonId: cup.seasonId, participants: three });
    expect(violations(created)).toEqual(['/participants/2 two_sides']);
    const match = await batch('two', three.slice(0, 2));
    expect((await batch('two', three)).error.errors).toEqual([
      expect.objectContaining({ pointer: '/participants/2', code: 'two_sides' }),
    ]);
    expect(violations(await owner.post(`${at.path(match.id)}/participants`, { participantId: cup.participants[3] }))).toEqual([
      ' two_sides',
    ]);
  });

  test('rejects another entry once it has a result, in any stage; a race accepts one', async () => {
    const meeting = await playLeague(owner, ['A', 'B', 'C']);
    const stage = await createResource(owner, `/competitions/seasons/${meeting.seasonId}/stages`, {
      name: 'Final',
      type: 'FINAL',
    });
    const match = await scoring(owner, meeting).played([0, 1], [1, 0], { stageId: stage.id });
    const third = { participantId: meeting.participants[2] };
    expect(violations(await owner.post(`${at.path(match.id)}/participants`, third))).toEqual([' two_sides']);
    const series = await playLeague(owner, ['A', 'B', 'C'], { sport: 'CYCLING', type: 'SERIES' });
    const race = await owner.post('/competitions/matches', {
      seasonId: series.seasonId,
      status: 'FINISHED',
      participants: series.participants.slice(0, 2).map((participantId) => ({ participantId })),
      result: {
        participants: series.participants.slice(0, 2).map((participantId, index) => ({ participantId, rank: index + 1 })),
      },
    });
    const late = await owner.post(`${at.path(race.body.id)}/participants`, { participantId: series.participants[2] });
    expect(late.status).toBe(201);
    expect(late.body.participants).toHaveLength(3);
    const field = Array.from({ length: 500 }, (_, index) => ({ placeholder: { text: `Starter ${index + 1}` } }));
    const mass = await owner.post('/competitions/matches', { seasonId: series.seasonId, participants: field });
    const more = await owner.post(`${at.path(mass.body.id)}/participants`, { participantId: series.participants[0] });
    expect(more.body).toMatchObject({ status: 409, code: 'conflict' });
  });
});
