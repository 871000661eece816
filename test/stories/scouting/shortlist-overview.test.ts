/** What an account sees of its shortlists at a glance: numbers of entries, sorted entries, moves, and reports with their match. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from '../competitions/leagues.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { addEntry, anyVersion, createShortlist, move, report } from './scouts.ts';

let platform: TestPlatform;
let scout: Client;
let agent: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [scout, agent] = await Promise.all([platform.account({ account: 'Scout' }), platform.account({ account: 'Agent' })]);
});
afterAll(() => platform.close());

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

test('shortlists have the number of their entries, counted in one statement for a page', async () => {
  const [one, empty] = [await createShortlist(scout), await createShortlist(scout)];
  await addEntry(scout, one, (await createAdult(agent)).id);
  const last = await addEntry(scout, one, (await createAdult(agent)).id);
  platform.statements();
  const { data } = (await scout.get('/scouting/shortlists')).body;
  const counts = new Map(data.map(({ id, entryCount }: { id: string; entryCount: number }) => [id, entryCount]));
  expect([counts.get(idOf(one)), counts.get(idOf(empty))]).toEqual([2, 0]);
  expect(platform.statements().filter((name) => name === 'shortlistEntries.sizes')).toHaveLength(1);
  await scout.delete(last, anyVersion);
  expect((await scout.get(one)).body.entryCount).toBe(1);
});

test('entries are sorted by creation, change or priority', async () => {
  const list = await createShortlist(scout);
  const add = async (priority: string) => addEntry(scout, list, (await createAdult(agent)).id, { priority });
  const entries = [await add('MEDIUM'), await add('HIGH'), await add('LOW')];
  const [medium, high, low] = entries.map(idOf);
  await move(scout, entries[0] ?? '', 'WATCHLIST');
  const sorted = async (sort: string) => idsOf(await scout.get(`${list}/entries?sort=${sort}`));
  expect(await sorted('createdAt')).toEqual([medium, high, low]);
  expect(await sorted('-createdAt')).toEqual([low, high, medium]);
  expect(await sorted('-updatedAt')).toEqual([medium, low, high]);
  expect(await sorted('updatedAt')).toEqual([high, low, medium]);
  expect(await sorted('-priority')).toEqual([high, medium, low]);
  expect(await sorted('-priority&stage=IDENTIFIED')).toEqual([high, low]);
  const page = (await scout.get(`${list}/entries?sort=-priority&limit=1`)).body.page;
  expect(idsOf(await scout.get(`${list}/entries?sort=-priority&limit=1&cursor=${page.nextCursor}`))).toEqual([medium]);
});

test('an entry has its moves on request, with the key that made them', async () => {
  const list = await createShortlist(scout);
  const entry = await addEntry(scout, list, (await createAdult(agent)).id);
  await move(scout, entry, 'WATCHLIST', 'LOST', 'IDENTIFIED');
  await scout.patch(entry, { notes: 'Back again' }, anyVersion);
  expect((await scout.get(entry)).body.history).toBeUndefined();
  const { history } = (await scout.get(`${entry}?include=history`)).body;
  const moved = (from: string | null, to: string) => ({ at: expect.any(String), from, to, keyId: expect.any(String) });
  expect(history).toEqual([
    moved('LOST', 'IDENTIFIED'),
    moved('WATCHLIST', 'LOST'),
    moved('IDENTIFIED', 'WATCHLIST'),
    moved(null, 'IDENTIFIED'),
  ]);
  expect((await scout.get(`${list}/entries?include=history`)).body.data[0].history).toEqual(history);
  expect((await agent.get(`${entry}?include=history`)).status).toBe(404);
});

test('a row of the reports has the shortlist, and the time and participants of the match', async () => {
  const league = await playLeague(agent, ['Eins', 'Zwei']);
  const participants = league.participants.map((participantId, index) => ({
    participantId,
    side: index === 0 ? 'HOME' : 'AWAY',
  }));
  const startTime = '2026-08-08T18:30:00.000Z';
  const match = await createResource(agent, '/competitions/matches', { seasonId: league.seasonId, startTime, participants });
  const list = await createShortlist(scout);
  const entry = await addEntry(scout, list, (await createAdult(agent)).id);
  const written = await scout.post(`${entry}/reports`, report({ matchId: match.id }));
  expect(written.body).toMatchObject({ shortlistId: idOf(list), entry: { id: idOf(entry) } });
  const { data } = (await scout.get(`/scouting/reports?matchId=${match.id}`)).body;
  expect(data).toMatchObject([
    {
      shortlistId: idOf(list),
      match: { id: match.id, startTime, participants: [{ participant: { name: 'Eins' } }, { participant: { name: 'Zwei' } }] },
    },
  ]);
});
