/** Recommendations over REST and GraphQL: subjects, recipients and reasons. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { inDays } from './market.ts';
import { readMatches, type MatchBody } from './match-reads.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { recommendedAthleteIds, createOpportunity, createProspect, readRecommendations } from './recommendation-reads.ts';
import { createResource } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
/** Owns the athletes. */
let academy: Client & { readonly organizationId: string };
/** Owns the opportunities. Its organization has a safeguarding officer. */
let club: Client & { readonly organizationId: string };
let reader: Client;
let moderator: Client;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  reader = await platform.account({ account: 'Other' });
});
afterAll(() => platform.close());

const offer = (sport: string, more: object = {}, by = club): Promise<string> => createOpportunity(by, sport, more);
const adult = (sport: string, more: object = {}): Promise<string> => createProspect(academy, sport, more);
const opportunitiesOf = async (client: Client, athlete: string): Promise<(string | undefined)[]> =>
  (await readRecommendations(client, `athleteId=${athlete}`)).map(({ opportunity }) => opportunity?.id);

describe('athletes for an opportunity', () => {
  test('are eligible public adults that are open to opportunities, with the scores of their matches, over REST and GraphQL', async () => {
    const opportunity = await offer('FOOTBALL', { positions: ['DF'], sex: 'FEMALE' });
    const left = { sport: 'FOOTBALL', positions: ['LB'], level: 'NATIONAL' };
    const near = await adult('FOOTBALL', { sports: [left], availability: { openToOpportunities: true, relocation: 'NATIONAL' } });
    const far = await adult('FOOTBALL', { sports: [left], residence: { country: 'DE' } });
    const second = await adult('FOOTBALL', { sports: [{ ...left, positions: ['ST', 'CB'] }] });
    const hidden = [
      await adult('FOOTBALL', { sports: [{ ...left, positions: ['GK'] }] }),
      await adult('FOOTBALL', { sports: [left], sex: 'MALE' }),
      await adult('FOOTBALL', { sports: [left], availability: { openToOpportunities: false } }),
      await adult('FOOTBALL', { sports: [left], visibility: 'PRIVATE' }),
      await adult('FOOTBALL', { sports: [left], status: 'DRAFT' }),
      await createMinor(academy, ['PROFILE', 'PROFILING', 'CONTACT']),
    ];
    await platform.settled();
    const response = await platform.anonymous.get(`/scouting/recommendations?opportunityId=${opportunity}`);
    expect(response.headers.get('cache-control')).toContain('private, no-cache');
    const list = await readRecommendations(reader, `opportunityId=${opportunity}`);
    expect(response.body.data).toEqual(list);
    const ids = list.map(({ athlete }) => athlete?.id ?? '');
    expect(ids[0]).toBe(near);
    expect(new Set(ids)).toEqual(new Set([near, far, second]));
    expect(ids.some((id) => hidden.includes(id))).toBe(false);
    const matches = await readMatches(reader, ids, [opportunity]);
    const byAthlete = new Map(matches.map((match) => [match.athlete.id, match]));
    for (const { athlete, opportunity: of, score, reasons, eligible } of list) {
      const { components, ...match } = byAthlete.get(athlete?.id ?? '') as MatchBody;
      expect({ score, reasons, eligible, of: of?.id }).toEqual({
        score: match.score,
        reasons: components,
        eligible: match.eligible,
        of: opportunity,
      });
    }
    const { body } = await reader.graphql(
      `query ($id: ID!) {
        recommendations(opportunityId: $id) { nodes { id subject athlete { id } organization { id } } }
        opportunity(id: $id) { recommendedAthletes(first: 10) { nodes { id score athlete { displayName } } } }
      }`,
      { id: opportunity },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.recommendations.nodes).toEqual(
      list.map(({ id, athlete }) => ({ id, subject: 'ATHLETE', athlete: { id: athlete?.id }, organization: null })),
    );
    expect(body.data.opportunity.recommendedAthletes.nodes).toMatchObject(list.map(({ id, score }) => ({ id, score })));
    expect(await recommendedAthleteIds(reader, `opportunityId=${opportunity}&limit=1`)).toEqual([near]);
  });

  test('exclude a hidden athlete immediately, before the projection is updated', async () => {
    const opportunity = await offer('RUGBY');
    const [remainingId, hiddenId] = [await adult('RUGBY'), await adult('RUGBY')];
    await platform.settled();
    expect(new Set(await recommendedAthleteIds(reader, `opportunityId=${opportunity}`))).toEqual(
      new Set([remainingId, hiddenId]),
    );
    expect((await academy.patch(`/athletes/${hiddenId}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })).status).toBe(200);
    expect(await recommendedAthleteIds(reader, `opportunityId=${opportunity}`)).toEqual([remainingId]);
  });

  test('are empty for a closed opportunity; unknown and draft recipients are not found; invalid parameters are rejected', async () => {
    const [closed, draft] = [await offer('RUGBY'), await offer('RUGBY', { status: 'DRAFT' })];
    expect((await club.post(`/opportunities/${closed}/close`)).status).toBe(200);
    expect(await readRecommendations(reader, `opportunityId=${closed}`)).toEqual([]);
    for (const query of [
      `opportunityId=${draft}`,
      `opportunityId=${unknown}`,
      `organizationId=${unknown}`,
      `athleteId=${unknown}`,
    ])
      expect((await reader.get(`/scouting/recommendations?${query}`)).status).toBe(404);
    const violations = ['', `opportunityId=${closed}&athleteId=${unknown}`, `opportunityId=${closed}&sport=RUGBY`];
    for (const query of [...violations, `opportunityId=${closed}&limit=51`]) {
      const { status, body } = await reader.get(`/scouting/recommendations?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'parameter_invalid' });
    }
  });
});

test('an organization gets athletes of its sports that are not members', async () => {
  const facts = {
    type: 'CLUB',
    name: 'Rowers',
    country: 'FR',
    sports: ['TENNIS', 'CYCLING'],
    level: 'REGIONAL',
    status: 'ACTIVE',
  };
  const { id: organizationId } = await createResource(academy, '/organizations', facts);
  const [rider, member, player] = [await adult('CYCLING'), await adult('CYCLING'), await adult('TENNIS')];
  const membership = { personType: 'ATHLETE', personId: member, organizationId, role: 'PLAYER' };
  await createResource(academy, '/organizations/memberships', membership);
  await platform.settled();
  const list = await readRecommendations(reader, `organizationId=${organizationId}`);
  expect(new Set(list.map(({ athlete }) => athlete?.id))).toEqual(new Set([rider, player]));
  expect(list[0]).toMatchObject({ subject: 'ATHLETE', opportunity: null, organization: { id: organizationId, name: 'Rowers' } });
  expect(await recommendedAthleteIds(reader, `organizationId=${organizationId}&sport=CYCLING`)).toEqual([rider]);
  expect(await reader.get(`/scouting/recommendations?organizationId=${organizationId}&sport=RUGBY`)).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: 'sport', code: 'other_sport' }] },
  });
});

describe('opportunities for an athlete', () => {
  test('are at most three of one organization, and only currently open ones', async () => {
    const athlete = await adult('HANDBALL', { availability: { openToOpportunities: true, relocation: 'INTERNATIONAL' } });
    const clubs = [await offer('HANDBALL'), await offer('HANDBALL'), await offer('HANDBALL'), await offer('HANDBALL')];
    const others = await offer('HANDBALL', { country: 'DE' }, academy);
    const old = await offer('HANDBALL', { ageRange: { min: 30 } }, academy);
    const male = await offer('HANDBALL', { sex: 'MALE' }, academy);
    await platform.settled();
    const ids = await opportunitiesOf(platform.anonymous, athlete);
    expect(ids.filter((id) => clubs.some((each) => each === id))).toHaveLength(3);
    expect(ids).toContain(others);
    expect(ids).toHaveLength(4);
    for (const id of [old, male]) expect(ids).not.toContain(id);
    expect((await academy.post(`/opportunities/${others}/pause`)).status).toBe(200);
    expect(await opportunitiesOf(reader, athlete)).not.toContain(others);
    const { body } = await reader.graphql(
      `query ($id: ID!) {
        athlete(id: $id) { recommendedOpportunities { nodes { opportunity { id organization { name } } subject } } }
      }`,
      { id: athlete },
    );
    expect(body.errors).toBeUndefined();
    const { nodes } = body.data.athlete.recommendedOpportunities;
    expect(nodes).toHaveLength(3);
    expect(nodes[0]).toMatchObject({ subject: 'OPPORTUNITY', opportunity: { organization: { name: 'Club' } } });
  });

  test('are in the own country within a limit of relocation, and the others can still be matched', async () => {
    const within = (relocation: string) =>
      adult('VOLLEYBALL', { residence: { country: 'ES' }, availability: { openToOpportunities: true, relocation } });
    const [athlete, mobile] = [await within('NATIONAL'), await within('INTERNATIONAL')];
    const [home, abroad] = [await offer('VOLLEYBALL', { country: 'ES' }), await offer('VOLLEYBALL', { country: 'DE' })];
    await platform.settled();
    expect(await opportunitiesOf(reader, athlete)).toEqual([home]);
    expect(new Set(await opportunitiesOf(reader, mobile))).toEqual(new Set([home, abroad]));
    expect(await readMatches(reader, [athlete], [abroad])).toMatchObject([{ eligible: true, athleteFit: 50 }]);
  });

  test('for a minor are open to minors, and visible to the owner and, with PROFILING consent, to other keys', async () => {
    const [young, adultId] = [await offer('SWIMMING', { minorsAllowed: true }), await offer('SWIMMING')];
    const sports = [{ sport: 'SWIMMING' }];
    const profiled = await createMinor(academy, ['PROFILE', 'PROFILING'], { sports });
    const visible = await createMinor(academy, ['PROFILE'], { sports });
    await platform.settled();
    for (const client of [academy, reader]) expect(await opportunitiesOf(client, profiled)).toEqual([young]);
    expect(await opportunitiesOf(academy, visible)).toEqual([young]);
    const { headers } = await reader.get(`/scouting/recommendations?athleteId=${profiled}`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await platform.anonymous.get(`/scouting/recommendations?athleteId=${profiled}`)).status).toBe(404);
    expect((await reader.get(`/scouting/recommendations?athleteId=${visible}`)).status).toBe(404);
    for (const id of [young, adultId]) expect(await recommendedAthleteIds(academy, `opportunityId=${id}`)).toEqual([]);
    const { body } = await reader.graphql(
      `query ($ids: [ID!]!, $id: ID!) {
        opportunityMatches(athleteId: $ids, opportunityId: [$id]) { nodes { athlete { recommendedOpportunities { nodes { id } } } } }
        athlete(id: $shown) { recommendedOpportunities { nodes { id } } }
      }`.replace('$id: ID!)', '$id: ID!, $shown: ID!)'),
      { ids: [profiled], id: young, shown: visible },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.opportunityMatches.nodes[0].athlete.recommendedOpportunities.nodes).toHaveLength(1);
    expect(body.data.athlete.recommendedOpportunities).toBeNull();
  });
});

test('recommendations for more than ten opportunities in one request are rejected', async () => {
  const items = Array.from({ length: 11 }, (_, index) => ({
    type: 'TRIAL',
    organizationId: club.organizationId,
    title: 'Come and run',
    description: 'Come and run.',
    sport: 'ATHLETICS',
    applicationDeadline: inDays(30),
    totalOpenings: 1,
    status: 'PUBLISHED',
    externalIds: [{ scheme: 'TEST', value: `run-${index}` }],
  }));
  expect((await club.post('/opportunities/batch', { items })).body.summary).toMatchObject({ created: 11 });
  const send = (first: number) =>
    reader.graphql(`{ opportunities(first: ${first}) { nodes { recommendedAthletes(first: 1) { nodes { id } } } } }`);
  const { body: few } = await send(10);
  expect(few.errors).toBeUndefined();
  const { body: many } = await send(11);
  expect(many.errors[0].extensions.code).toBe('query_too_complex');
});
