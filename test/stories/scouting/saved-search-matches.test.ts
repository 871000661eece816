/** What saved searches find: new matches, once, as their account may read them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { openMarket, type Market } from './market.ts';
import { anyVersion, createShortlist } from './scouts.ts';
import { alertsOf, foundBy, runAll, runDue, saveSearch } from './searchers.ts';

let market: Market;
let platform: TestPlatform;
let agent: Client;
let scout: Client;
let other: Client;
beforeAll(async () => {
  market = await openMarket();
  ({ platform, other } = market);
  [agent, scout] = [await platform.account({ account: 'Agent' }), await platform.account({ account: 'Scout' })];
});
afterAll(() => platform.close());

/** A filter that finds the athletes of one test only. */
let names = 0;
const name = (): string => `Zoranek${String.fromCharCode(97 + (names += 1))}`;

test('a new athlete who matches is reported once, and one who does not match or existed before is not', async () => {
  const word = name();
  await createAdult(agent, { displayName: `${word} Old` });
  const search = await saveSearch(scout, { athletes: { q: word, position: ['LB'] } });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  const { id } = await createAdult(agent, { displayName: `${word} New` });
  await createAdult(agent, { displayName: `${word} Keeper`, sports: [{ sport: 'FOOTBALL', positions: ['GK'] }] });
  await createAdult(agent, { displayName: 'Another Name' });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
  expect(await alertsOf(platform, scout, search)).toBe(1);
  expect((await scout.get(search)).body).toMatchObject({ version: 2 });
  await agent.patch(`/athletes/${id}`, { heightCm: 180 }, anyVersion);
  await runAll(platform);
  expect(await alertsOf(platform, scout, search)).toBe(1);
  expect(await alertsOf(platform, other, search)).toBe(0);
});

test('matches have the time of the run, which is that of the search, and can be read since a time', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } });
  const first = await createAdult(agent, { displayName: `${word} One` });
  await runAll(platform);
  const second = await createAdult(agent, { displayName: `${word} Two` });
  await runAll(platform);
  const { body } = await scout.get(`${search}/matches`);
  expect(await foundBy(scout, search)).toEqual([second.id, first.id]);
  const [{ matchedAt, athlete, prospect, opportunity }] = body.data;
  expect({ athlete, prospect, opportunity }).toMatchObject({
    athlete: { displayName: `${word} Two` },
    prospect: null,
    opportunity: null,
  });
  expect((await scout.get(search)).body.lastMatchedAt).toBe(matchedAt);
  expect(await foundBy(scout, search, `&since=${matchedAt}`)).toEqual([second.id]);
  const page = await scout.get(`${search}/matches?limit=1`);
  const next = await scout.get(`${search}/matches?limit=1&cursor=${encodeURIComponent(page.body.page.nextCursor)}`);
  expect(next.body.data).toMatchObject([{ athlete: { id: first.id } }]);
});

test('an athlete who existed before is reported when a change makes the athlete match', async () => {
  const word = name();
  const { id } = await createAdult(agent, { displayName: `${word} Tall`, heightCm: 170 });
  const search = await saveSearch(scout, { athletes: { q: word, heightCmMin: 190 } });
  await agent.patch(`/athletes/${id}`, { heightCm: 191 }, anyVersion);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
});

test('an athlete who matches without a change of the profile is found by the daily scan', async () => {
  const word = name();
  const { id } = await createAdult(agent, { displayName: `${word} Free` });
  const search = await saveSearch(scout, { athletes: { q: word, freeAgent: false } });
  const membership = { personType: 'ATHLETE', personId: id, organizationId: market.club.id, role: 'PLAYER' };
  const member = await market.owner.post('/organizations/memberships', membership);
  expect(member.status).toBe(201);
  await agent.post(`/organizations/memberships/${member.body.id}/confirm`);
  await queryRows(platform.database, 'update scouting.saved_search set changed_since = now()');
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  await queryRows(platform.database, "update scouting.saved_search set scanned_at = now() - interval '25 hours'");
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
  expect(await alertsOf(platform, scout, search)).toBe(1);
});

test('a search runs at most once in its interval, with one event for all matches of the run', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } }, { intervalMinutes: 1440 });
  const found = [await createAdult(agent, { displayName: `${word} A` }), await createAdult(agent, { displayName: `${word} B` })];
  await runDue(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  await runAll(platform);
  expect((await foundBy(scout, search)).toSorted()).toEqual(found.map(({ id }) => id).toSorted());
  expect(await alertsOf(platform, scout, search)).toBe(1);
  await createAdult(agent, { displayName: `${word} C` });
  await runDue(platform);
  expect(await foundBy(scout, search)).toHaveLength(2);
  const [row] = await queryRows(
    platform.database,
    `select next_run_at > now() + interval '23 hours' as waits from scouting.saved_search where id = '${search.split('/').at(-1)}'`,
  );
  expect(row).toEqual({ waits: true });
  await scout.patch(search, { intervalMinutes: 5 }, anyVersion);
  await runDue(platform);
  expect(await foundBy(scout, search)).toHaveLength(2);
});

test('a paused search does not run, and reports what it missed when it continues', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } }, { paused: true });
  const { id } = await createAdult(agent, { displayName: `${word} Late` });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  await scout.patch(search, { paused: false }, anyVersion);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
});

test('a search that matched more than it can know reports only what is created later', async () => {
  const word = name();
  const { id } = await createAdult(agent, { displayName: `${word} Small`, heightCm: 160 });
  const search = await saveSearch(scout, { athletes: { q: word, heightCmMin: 170 } });
  await queryRows(platform.database, 'update scouting.saved_search set known_before = now()');
  await agent.patch(`/athletes/${id}`, { heightCm: 175 }, anyVersion);
  const created = await createAdult(agent, { displayName: `${word} New`, heightCm: 180 });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([created.id]);
});

test('a new prospect is reported, with the score', async () => {
  const search = await saveSearch(scout, { prospects: { sport: ['FOOTBALL'], country: ['MT'] } });
  const { id } = await createAdult(agent, { residence: { country: 'MT', city: 'Valletta' } });
  await createAdult(agent, { residence: { country: 'CY', city: 'Nicosia' } });
  await runAll(platform);
  const { body } = await scout.get(`${search}/matches`);
  expect(body.data).toMatchObject([{ athlete: null, prospect: { athlete: { id }, talentScore: expect.any(Number) } }]);
  await agent.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, anyVersion);
  expect(await foundBy(scout, search)).toEqual([]);
});

test('a new opportunity is reported when it is published', async () => {
  const word = name();
  await market.post({ ...market.trial(), title: `${word} before`, status: 'PUBLISHED' });
  const search = await saveSearch(scout, { opportunities: { q: word, type: ['TRIAL'] } });
  const draft = await market.post({ ...market.trial(), title: `${word} draft` });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  expect((await market.owner.post(`/opportunities/${draft.id}/publish`)).status).toBe(200);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([draft.id]);
  expect(await alertsOf(platform, scout, search)).toBe(1);
});

test('a new filter deletes the matches and starts from what it finds now', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } });
  const { id } = await createAdult(agent, { displayName: `${word} Found`, heightCm: 180 });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
  await scout.patch(search, { filter: { athletes: { heightCmMin: 170 } } }, anyVersion);
  expect(await foundBy(scout, search)).toEqual([]);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  const tall = await createAdult(agent, { displayName: `${word} Tall`, heightCm: 200 });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([tall.id]);
});

test('accounts take turns: many searches of one account delay those of another by one', async () => {
  const word = name();
  const [many, one] = [await platform.account({ account: 'Many' }), await platform.account({ account: 'One' })];
  const searches: string[] = [];
  for (let count = 0; count < 12; count++) searches.push(await saveSearch(many, { athletes: { q: word } }));
  const search = await saveSearch(one, { athletes: { q: word } });
  const { id } = await createAdult(agent, { displayName: `${word} New` });
  await runAll(platform);
  expect(await foundBy(one, search)).toEqual([id]);
  const { lastMatchedAt } = (await one.get(search)).body;
  const times: string[] = await Promise.all(searches.map(async (path) => (await many.get(path)).body.lastMatchedAt));
  expect(times.filter((time) => time < lastMatchedAt).length).toBeLessThanOrEqual(1);
});

test('a shortlist names the searches that find athletes for it', async () => {
  const shortlist = await createShortlist(scout);
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } }, { shortlistId: shortlist.split('/').at(-1) });
  await createAdult(agent, { displayName: `${word} New` });
  await runAll(platform);
  const { body } = await scout.get(`${shortlist}?include=savedSearches`);
  expect(body.savedSearches).toMatchObject([{ id: search.split('/').at(-1), lastMatchedAt: expect.any(String) }]);
});
