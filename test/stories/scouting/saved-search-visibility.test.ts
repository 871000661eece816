/** What saved searches find is what their accounts can read: hidden, erased and merged athletes, and minors. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { consent, createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createAdult } from '../organizations/clubs.ts';
import { openMarket, type Market } from './market.ts';
import { anyVersion } from './scouts.ts';
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

test('a search finds what its account reads: own athletes, and never those of another account that are hidden', async () => {
  const word = name();
  const searches = [
    await saveSearch(scout, { athletes: { q: word, mine: true } }),
    await saveSearch(other, { athletes: { q: word } }),
    await saveSearch(other, { prospects: { sport: ['FOOTBALL'], country: ['IS'] } }),
  ] as const;
  const hidden = await createAdult(scout, {
    displayName: `${word} Hidden`,
    visibility: 'PRIVATE',
    residence: { country: 'IS', city: 'Reykjavik' },
  });
  const minor = await createAthlete(scout, { displayName: `${word} Minor`, dateOfBirth: bornFor(15, 20) });
  await runAll(platform);
  expect((await foundBy(scout, searches[0])).toSorted()).toEqual([hidden.id, minor.id].toSorted());
  for (const search of searches.slice(1)) {
    expect(await foundBy(other, search)).toEqual([]);
    expect(await alertsOf(platform, other, search)).toBe(0);
  }
});

test('a match that is hidden or erased later is absent', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } });
  const [hidden, erased, kept] = [
    await createAdult(agent, { displayName: `${word} Hidden` }),
    await createAdult(agent, { displayName: `${word} Erased` }),
    await createAdult(agent, { displayName: `${word} Kept` }),
  ];
  await runAll(platform);
  expect(await foundBy(scout, search)).toHaveLength(3);
  await agent.patch(`/athletes/${hidden.id}`, { visibility: 'PRIVATE' }, anyVersion);
  expect((await foundBy(scout, search)).toSorted()).toEqual([erased.id, kept.id].toSorted());
  expect((await agent.post(`/athletes/${erased.id}/erase`)).status).toBe(200);
  await runDue(platform);
  expect(await foundBy(scout, search)).toEqual([kept.id]);
  const rows = await queryRows(
    platform.database,
    `select id from scouting.saved_search_subject where subject_id = '${erased.id}'`,
  );
  expect(rows).toEqual([]);
});

test('of two merged matches the remaining profile is listed, once', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } });
  const [remaining, merged, alone] = [
    await createAdult(agent, { displayName: `${word} Remaining` }),
    await createAdult(agent, { displayName: `${word} Merged` }),
    await createAdult(agent, { displayName: `${word} Alone` }),
  ];
  await runAll(platform);
  expect(await foundBy(scout, search)).toHaveLength(3);
  const target = await createAdult(agent, { displayName: 'Another Name' });
  for (const [id, intoId] of [
    [merged.id, remaining.id],
    [alone.id, target.id],
  ])
    expect((await market.moderator.post(`/athletes/${id}/merge`, { intoId })).status).toBe(200);
  await runDue(platform);
  expect((await foundBy(scout, search)).toSorted()).toEqual([remaining.id, target.id].toSorted());
});

test('a minor is reported after consent, and absent after the consent is withdrawn', async () => {
  const search = await saveSearch(scout, { athletes: { country: ['BT'] } });
  const academy = await verifiedAccount(platform, market.moderator, 'Academy', { officer: true });
  const id = await createMinor(academy, [], { residence: { country: 'BT', city: 'Paro' } });
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  const consentId = await consent(academy, id, ['PROFILE']);
  expect((await academy.post(`/athletes/${id}/activate`)).status).toBe(200);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([id]);
  expect((await academy.post(`/athletes/${id}/consents/${consentId}/withdraw`, { reason: 'Asked for' })).status).toBe(200);
  expect(await foundBy(scout, search)).toEqual([]);
});

test('matches are deleted after 90 days and are not reported again', async () => {
  const word = name();
  const search = await saveSearch(scout, { athletes: { q: word } });
  const { id } = await createAdult(agent, { displayName: `${word} Old` });
  await runAll(platform);
  await queryRows(platform.database, "update scouting.saved_search_subject set matched_at = matched_at - interval '91 days'");
  await agent.patch(`/athletes/${id}`, { heightCm: 181 }, anyVersion);
  await runAll(platform);
  expect(await foundBy(scout, search)).toEqual([]);
  expect(await alertsOf(platform, scout, search)).toBe(1);
});
