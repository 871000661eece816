/** Events of results: one for each change, with versions and changed positions; none for failed writes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scored, scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
});
afterAll(() => platform.close());

const newLeague = async () => {
  const league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
  return { league, at: scoring(owner, league) };
};

interface Place {
  readonly position: number | null;
  readonly points: number | null;
}

interface PublishedEvent {
  readonly type: string;
  readonly data: {
    readonly version: number;
    readonly previousVersion: number | null;
    readonly matchId: string;
    readonly seasonId: string;
    readonly changes: { type: string; changed: { participantId: string; before: Place | null; after: Place | null }[] }[];
  };
}

async function publishedBy(matchId: string) {
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-results', poolSize: 1 });
  const events = await database.query<PublishedEvent>(sql`/* test.events */ select type, data from competitions.outbox
    where resource_type = 'result' and data ->> 'matchId' = ${matchId} order by id`);
  const history = await database.query<{ action: string }>(sql`/* test.history */ select action from competitions.history
    where resource_id = (select id from competitions.result where match_id = ${matchId}) order by id`);
  await database.close();
  return { events, history: history.map(({ action }) => action) };
}

/** The changed positions of the total table in an event: participant → position before and after. */
const movedIn = (event: PublishedEvent | undefined) => {
  const total = event?.data.changes.find(({ type }) => type === 'TOTAL');
  return new Map(total?.changed.map(({ participantId, before, after }) => [participantId, [before, after]]));
};

test('each change has one event and one history entry; an open match has no official result', async () => {
  const { league, at } = await newLeague();
  const match = await at.begun([2, 3]);
  await at.put(match.id, scored(match.sides, 0, 0));
  expect((await at.step(match.id, 'certify')).body).toMatchObject({ code: 'invalid_transition', allowedTransitions: ['annul'] });
  await at.finish(match);
  await at.step(match.id, 'certify');
  await at.step(match.id, 'correct', { reason: 'Recount', ...scored(match.sides, 1, 0) });
  await at.step(match.id, 'annul', { reason: 'Replayed' });
  const { events, history } = await publishedBy(match.id);
  expect(events.map(({ type, data }) => [type, data.version, data.previousVersion, data.matchId, data.seasonId])).toEqual(
    [
      ['result.recorded', 1, null],
      ['result.certified', 2, 1],
      ['result.corrected', 3, 2],
      ['result.annulled', 4, 3],
    ].map((event) => [...event, match.id, league.seasonId]),
  );
  expect(history).toEqual(['created', 'certify', 'correct', 'annul']);
});

test('a correction reports all changed positions with the former ones', async () => {
  const { at } = await newLeague();
  const first = await at.played([0, 1], [1, 0]);
  const match = await at.played([2, 3], [2, 0]);
  await at.step(match.id, 'correct', { reason: 'Ineligible player', ...scored(match.sides, 0, 3) });
  const { events } = await publishedBy(match.id);
  const [third = '', fourth = ''] = match.sides;
  const moved = movedIn(events.at(-1));
  expect(moved.get(third)).toEqual([
    { position: 1, points: 3 },
    { position: expect.any(Number), points: 0 },
  ]);
  expect(moved.get(fourth)).toEqual([
    { position: expect.any(Number), points: 0 },
    { position: 1, points: 3 },
  ]);
  const retained = first.sides.filter((id) => moved.has(id));
  expect(retained.every((id) => moved.get(id)?.[0]?.position !== moved.get(id)?.[1]?.position)).toBe(true);
  expect(JSON.stringify(events)).not.toMatch(/Rot|Blau|Grün|Gelb/);
});

test('in a batch, an event reports the positions of the sides of its match; a failed item publishes nothing', async () => {
  const { league, at } = await newLeague();
  const [one, two, bad] = [await at.fixture([0, 1]), await at.fixture([2, 3]), await at.fixture([0, 2])];
  const items = [
    { matchId: one.id, status: 'OFFICIAL', ...scored(one.sides, 1, 0) },
    { matchId: two.id, status: 'OFFICIAL', ...scored(two.sides, 0, 4) },
    { matchId: bad.id, status: 'OFFICIAL', ...scored([...bad.sides, league.participants[3] ?? ''], 1, 0, 0) },
  ];
  const { body } = await owner.post('/competitions/results/batch', { items });
  expect(body.summary).toMatchObject({ created: 2, failed: 1 });
  const [first, second, failed] = [await publishedBy(one.id), await publishedBy(two.id), await publishedBy(bad.id)];
  expect([...movedIn(first.events[0]).keys()].toSorted()).toEqual(one.sides.toSorted());
  expect(movedIn(second.events[0]).get(two.sides[1] ?? '')?.[1]).toEqual({ position: 1, points: 3 });
  expect([...movedIn(second.events[0]).keys()].every((id) => two.sides.includes(id))).toBe(true);
  expect(first.events.map(({ type }) => type)).toEqual(['result.certified']);
  expect(failed).toEqual({ events: [], history: [] });
});
