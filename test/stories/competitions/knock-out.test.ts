/** Placeholders for winners and losers: filled by official results, changed by corrections, emptied by annulments. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring, type Fixture } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let cup: League;
let at: ReturnType<typeof scoring>;
let stageId: string;
let legsStageId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Cup' });
  cup = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb'], { type: 'CUP' });
  at = scoring(owner, cup);
  stageId = await stage({ name: 'Finals', order: 2 });
  legsStageId = await stage({ name: 'Semi-finals', order: 1, legs: 2 });
});
afterAll(() => platform.close());

async function stage(facts: object): Promise<string> {
  const { status, body } = await owner.post(`/competitions/seasons/${cup.seasonId}/stages`, { type: 'KNOCKOUT', ...facts });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

const waits = (match: Fixture, outcome = 'WINNER') => ({ placeholder: { sourceMatchId: match.id, outcome } });
const single = (sides: readonly (number | object)[]) => at.fixture(sides, { stageId });
const decide = async (match: Fixture, ...scores: number[]) => {
  const response = await owner.post('/competitions/results/batch', {
    items: [{ matchId: match.id, status: 'OFFICIAL', ...scored(match.sides, ...scores) }],
  });
  expect(response.body.summary.failed).toBe(0);
};
type Entry = { participant: { name: string } | null; placeholder: object | null };
/** Names of the participants of a match; null for an empty placeholder. */
const sides = async ({ id }: Fixture): Promise<(string | null)[]> =>
  (await platform.anonymous.get(at.path(id))).body.participants.map(({ participant }: Entry) => participant?.name ?? null);

test('a final and the match for third place are filled by both semi-finals, with events', async () => {
  const [first, second] = [await single([0, 1]), await single([2, 3])];
  const final = await single([waits(first), waits(second)]);
  const third = await single([waits(first, 'LOSER'), waits(second, 'LOSER')]);
  await decide(first, 2, 0);
  expect([await sides(final), await sides(third)]).toEqual([
    ['Rot', null],
    ['Blau', null],
  ]);
  await owner.post(`${at.path(second.id)}/start`);
  await at.put(second.id, {
    duration: 'PENALTY_SHOOTOUT',
    participants: second.sides.map((participantId, index) => ({ participantId, score: 1, shootoutScore: 3 + index })),
  });
  await at.finish(second);
  expect(await sides(final)).toEqual(['Rot', null]);
  await at.step(second.id, 'certify');
  expect([await sides(final), await sides(third)]).toEqual([
    ['Rot', 'Gelb'],
    ['Blau', 'Grün'],
  ]);
  expect(await eventsOf(final.id)).toEqual(['match.created', 'match.updated', 'match.updated']);
});

test('a correction changes them, an annulment empties them, and a match with a result does not change', async () => {
  const [first, second] = [await single([0, 1]), await single([2, 3])];
  const final = await single([waits(first), waits(second)]);
  await decide(first, 2, 0);
  await decide(second, 1, 0);
  await at.step(first.id, 'correct', { reason: 'Ineligible player', ...scored(first.sides, 0, 3) });
  expect(await sides(final)).toEqual(['Blau', 'Grün']);
  await at.step(second.id, 'annul', { reason: 'To be replayed' });
  expect(await sides(final)).toEqual(['Blau', null]);
  await at.step(second.id, 'correct', { reason: 'Replayed', ...scored(second.sides, 0, 1) });
  expect(await sides(final)).toEqual(['Blau', 'Gelb']);
  const { body } = await owner.get(at.path(final.id));
  const finalists = body.participants.map(({ participant }: { participant: { id: string } }) => participant.id);
  await decide({ id: final.id, sides: finalists }, 1, 0);
  await at.step(first.id, 'correct', { reason: 'Appeal', ...scored(first.sides, 2, 0) });
  expect(await sides(final)).toEqual(['Blau', 'Gelb']);
});

test('a participant entered by the organizer stays', async () => {
  const first = await single([0, 1]);
  const final = await single([waits(first), 2]);
  await decide(first, 1, 0);
  const { body } = await owner.get(at.path(final.id));
  const entry = `${at.path(final.id)}/participants/${body.participants[0].entryId}`;
  const entered = await owner.patch(entry, { participantId: cup.participants[3] }, { 'if-match': '*' });
  expect(entered.status).toBe(200);
  await at.step(first.id, 'correct', { reason: 'x', ...scored(first.sides, 0, 1) });
  expect(await sides(final)).toEqual(['Gelb', 'Grün']);
});

test('a placeholder for a finished match is filled at once; a bye advances the other side', async () => {
  const first = await at.played([0, 1], [0, 2], { stageId });
  const bye = await single([waits(first), { bye: true }]);
  expect(await sides(bye)).toEqual(['Blau', null]);
  const next = await single([waits(bye), 2]);
  expect(await sides(next)).toEqual(['Blau', 'Grün']);
  await at.step(first.id, 'correct', { reason: 'x', ...scored(first.sides, 3, 2) });
  expect([await sides(bye), await sides(next)]).toEqual([
    ['Rot', null],
    ['Rot', 'Grün'],
  ]);
});

test('two legs are decided after both, also when both are certified concurrently', async () => {
  const leg = (sidesOfLeg: readonly number[], number: number) =>
    at.begun(sidesOfLeg, { stageId: legsStageId, tieId: 'SF1', leg: number });
  const [first, second] = [await leg([0, 1], 1), await leg([1, 0], 2)];
  const final = await single([waits(first), waits(second, 'LOSER')]);
  await Promise.all([at.put(first.id, scored(first.sides, 1, 0)), at.put(second.id, scored(second.sides, 3, 0))]);
  await Promise.all([at.finish(first), at.finish(second)]);
  const responses = await Promise.all([at.step(first.id, 'certify'), at.step(second.id, 'certify')]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(await sides(final)).toEqual(['Blau', 'Rot']);
  await at.step(first.id, 'correct', { reason: 'x', ...scored(first.sides, 3, 0) });
  expect(await sides(final)).toEqual([null, null]);
});

test('changing the tie rules of a stage decides its ties again', async () => {
  const awayId = await stage({ name: 'Away goals', order: 3, legs: 2, awayGoals: true });
  const leg = (sidesOfLeg: readonly number[], number: number) =>
    at.fixture(sidesOfLeg, { stageId: awayId, tieId: 'A1', leg: number });
  const [first, second] = [await leg([0, 1], 1), await leg([1, 0], 2)];
  const final = await single([waits(first), 2]);
  await decide(first, 1, 0);
  await decide(second, 2, 1);
  expect(await sides(final)).toEqual(['Rot', 'Grün']);
  const patched = await owner.patch(
    `/competitions/seasons/${cup.seasonId}/stages/${awayId}`,
    { awayGoals: false },
    { 'if-match': '*' },
  );
  expect(patched.status).toBe(200);
  expect(await sides(final)).toEqual([null, 'Grün']);
});

test('a match with an annulled result has placeholders again', async () => {
  const first = await single([0, 1]);
  const final = await single([waits(first), 2]);
  await decide(first, 1, 0);
  await decide({ id: final.id, sides: [cup.participants[0] ?? '', cup.participants[2] ?? ''] }, 1, 0);
  await at.step(final.id, 'annul', { reason: 'To be replayed' });
  await at.step(first.id, 'correct', { reason: 'x', ...scored(first.sides, 0, 1) });
  expect(await sides(final)).toEqual(['Blau', 'Grün']);
});

async function eventsOf(id: string): Promise<string[]> {
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-knock-out', poolSize: 1 });
  const rows = await database.query<{ type: string }>(
    sql`/* test.events */ select type from competitions.outbox where resource_id = ${id} order by id`,
  );
  await database.close();
  return rows.map(({ type }) => type);
}
