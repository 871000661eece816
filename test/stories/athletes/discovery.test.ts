/** Discovery: rounded counts of at least ten athletes, and short lists of whole profiles. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub, createTeam } from '../organizations/clubs.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
const born = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };

const people = (count: number, more: object) => Array.from({ length: count }, () => facts({ ...born, ...more }));

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write', 'athletes:write'] });
  owner = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  const items = [
    ...people(13, { sex: 'FEMALE', nationalities: ['NG', 'FR'] }),
    ...people(10, { sex: 'MALE', residence: { country: 'DE' }, sports: [{ sport: 'TENNIS', level: 'SCHOOL' }] }),
    ...people(9, { sex: 'UNSPECIFIED', residence: { country: 'JP' }, sports: [{ sport: 'CYCLING' }] }),
    ...people(11, { status: 'DRAFT', residence: { country: 'SE' } }),
    ...people(11, { visibility: 'ORGANIZATIONS', residence: { country: 'SE' } }),
  ];
  expect((await owner.post('/athletes/batch', { items })).body.summary).toMatchObject({ created: items.length });
});
afterAll(() => platform.close());

async function discover(more = '', client: Client = platform.anonymous) {
  const { status, body, headers } = await client.get(`/athletes/discovery${more}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { ...body, headers };
}

test('counts are rounded down to tens and null below ten', async () => {
  const { count, facets } = await discover();
  expect(count).toBe(30);
  expect(facets).toEqual({
    sport: [
      { value: 'FOOTBALL', count: 10 },
      { value: 'TENNIS', count: 10 },
      { value: 'CYCLING', count: null },
    ],
    country: [
      { value: 'DE', count: 10 },
      { value: 'FR', count: 10 },
      { value: 'JP', count: null },
    ],
    nationality: [
      { value: 'NG', count: 30 },
      { value: 'FR', count: 10 },
    ],
    sex: [
      { value: 'FEMALE', count: 10 },
      { value: 'MALE', count: 10 },
      { value: 'UNSPECIFIED', count: null },
    ],
    level: [
      { value: 'NATIONAL', count: 10 },
      { value: 'SCHOOL', count: 10 },
    ],
    verified: [{ value: 'false', count: 30 }],
    openToOpportunities: [{ value: 'false', count: 30 }],
  });
  await platform.settled();
  expect((await discover()).facets).toEqual(facets);
  const cycling = await discover('?sport=CYCLING');
  expect(cycling).toMatchObject({
    count: null,
    facets: { sport: facets.sport, country: [{ value: 'JP', count: null }], level: [] },
  });
});

test('restricted profiles count by their public members and are in no list', async () => {
  const minor = {
    sex: 'FEMALE',
    nationalities: ['AQ'],
    residence: { country: 'AQ' },
    sports: [{ sport: 'RUGBY', level: 'ACADEMY' }],
  };
  const id = await createMinor(owner, ['PROFILE', 'CONTACT'], { ...minor, availability: { openToOpportunities: true } });
  await createMinor(owner, [], { ...minor, residence: { country: 'CL' } });
  expect((await moderator.post(`/athletes/${id}/verify`)).status).toBe(200);
  const reader = await verifiedAccount(platform, moderator, 'Reader', { officer: true, scopes: ['minors:read'] });
  for (const client of [platform.anonymous, reader]) {
    const { facets, newlyVerified, openToOpportunities } = await discover('?sport=RUGBY', client);
    expect(facets).toMatchObject({
      country: [{ value: 'AQ', count: null }],
      sex: [{ value: 'FEMALE' }],
      verified: [{ value: 'true' }],
    });
    expect(facets).toMatchObject({ nationality: [], level: [], openToOpportunities: [] });
    expect([newlyVerified.data, openToOpportunities.data]).toEqual([[], []]);
  }
});

test('curated lists return verified athletes and those open to opportunities, newest first, with a link to the full list', async () => {
  const sport = [{ sport: 'HANDBALL' }];
  const created = [];
  for (const displayName of ['One', 'Two', 'Three'])
    created.push(
      await createAthlete(owner, { ...born, displayName, sports: sport, availability: { openToOpportunities: true } }),
    );
  const [one, two, three] = created.map(({ id }) => id);
  for (const id of [two, one, three]) expect((await moderator.post(`/athletes/${id}/verify`)).status).toBe(200);
  expect((await moderator.post(`/athletes/${three}/suspend`)).status).toBe(200);
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  const { newlyVerified, openToOpportunities, headers } = await discover('?sport=HANDBALL&limit=2');
  expect(idsOf(newlyVerified)).toEqual([one, two]);
  expect(idsOf(openToOpportunities)).toEqual([two, one]);
  expect(headers.get('cache-control')).toContain('private');
  for (const { list, data } of [newlyVerified, openToOpportunities]) {
    const { body } = await platform.anonymous.get(list);
    expect(idsOf(body).toSorted()).toEqual(idsOf({ data }).toSorted());
  }
  const graph = await platform.anonymous.graphql(
    '{ athleteDiscovery(sport: HANDBALL) { newlyVerified(first: 1) { nodes { displayName sports { sport } } list } } }',
  );
  const nodes = [{ displayName: 'One', sports: [{ sport: 'HANDBALL' }] }];
  expect(graph.body.data.athleteDiscovery.newlyVerified).toEqual({ nodes, list: '/athletes?verified=true&sport=HANDBALL' });
});

test('an athlete rises who scored more than in the previous season of a competition; self-reported statistics do not count', async () => {
  const createResource = async (path: string, body: object): Promise<string> => {
    const created = await owner.post(path, body);
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
    return created.body.id;
  };
  const competition = (name: string) => createResource('/competitions', { name, sport: 'VOLLEYBALL', type: 'LEAGUE' });
  const seasonOf = (competitionId: string, name: string, startDate: string, endDate: string) =>
    createResource('/competitions/seasons', { competitionId, name, startDate, endDate });
  const league = await competition('Rising League');
  const seasons = [
    await seasonOf(league, 'One', '2024-08-01', '2025-05-31'),
    await seasonOf(league, 'Two', '2025-08-01', '2026-05-31'),
  ] as const;
  const cup = await seasonOf(await competition('Rising Cup'), 'Two', '2025-08-01', '2026-05-31');
  const { id: clubId } = await createClub(owner, { sports: ['VOLLEYBALL'] });
  const days = [bornFor(1, 100), bornFor(0, 20)] as const;
  const report = (athleteId: string, seasonId: string, kills: number, asOf: string, more: object = {}) => {
    const numbers = { source: 'PROVIDER', matchesPlayed: 10, metrics: [{ key: 'kills', value: kills }] };
    const of = { athleteId, scope: 'SEASON', sport: 'VOLLEYBALL', seasonId, asOf };
    return createResource('/athletes/statistics', { ...of, ...numbers, ...more });
  };
  async function player(displayName: string, [before, after]: readonly [number, number | null], more: object = {}) {
    const { id } = await createAthlete(owner, { ...born, displayName, sports: [{ sport: 'VOLLEYBALL' }] });
    await report(id, seasons[0], before, days[0], more);
    if (after !== null) await report(id, seasons[1], after, days[1], more);
    return id;
  }
  const most = await player('Most', [10, 60]);
  const more = await player('More', [10, 20]);
  await player('Fewer', [20, 10]);
  await player('Boaster', [0, 900], { source: 'SELF_REPORTED' });
  // a cup is not a season of the league, and the team with more matches counts
  await report(await player('Cup Winner', [10, null]), cup, 90, days[1]);
  const transferred = await player('Transferred', [10, null]);
  for (const [matchesPlayed, kills, asOf] of [
    [10, 15, bornFor(0, 40)],
    [5, 50, days[1]],
  ] as const) {
    const { id: teamId } = await createTeam(owner, clubId, { sport: 'VOLLEYBALL' });
    await report(transferred, seasons[1], kills, asOf, { teamId, matchesPlayed });
  }
  await platform.settled();
  const { rising } = await discover('?sport=VOLLEYBALL');
  expect(rising.data.map((each: { athlete: object }) => each.athlete)).toEqual([
    { id: most, displayName: 'Most', imageUrl: null },
    { id: more, displayName: 'More', imageUrl: null },
    { id: transferred, displayName: 'Transferred', imageUrl: null },
  ]);
  expect(rising.data[0]).toMatchObject({ metric: 'kills', unit: 'count', seasonId: seasons[1], valueBefore: 1, valueAfter: 6 });
  expect(rising.data[2]).toMatchObject({ valueBefore: 1, valueAfter: 1.5 });
  expect((await owner.post(`/athletes/${most}/deactivate`)).status).toBe(200);
  expect((await discover()).rising.data[0]).toMatchObject({ athlete: { id: more }, sport: 'VOLLEYBALL' });
});
