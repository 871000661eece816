/** Recommendations through both doors: of whom, to whom, why, and what becomes of what accounts think of them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { inDays } from './market.ts';
import { told, type Told } from './match-answers.ts';
import { createMinor, verifiedAccount } from './minors-world.ts';
import { bornFor, createAthlete } from './people.ts';
import { makes } from './season-maker.ts';

let world: World;
let database: Database;
/** Owns the athletes. */
let academy: Client & { readonly organizationId: string };
/** Owns the opportunities; its organization looks after minors. */
let club: Client & { readonly organizationId: string };
let scout: Client;
let stranger: Client;
let moderator: Client;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  world = await openWorld();
  database = openDatabase({ url: world.database.ownerUrl, name: 'test-recommendations', poolSize: 1 });
  moderator = await world.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(world, moderator, 'Academy', { officer: false });
  club = await verifiedAccount(world, moderator, 'Club', { officer: true });
  scout = await world.account({ account: 'Scout' });
  stranger = await world.account({ account: 'Somebody' });
}, 60_000);
afterAll(async () => {
  await database.close();
  await world.close();
});

interface Recommended {
  readonly id: string;
  readonly subject: string;
  readonly athlete: { readonly id: string } | null;
  readonly opportunity: { readonly id: string } | null;
  readonly score: number;
  readonly reasons: readonly { readonly contribution: number }[];
  readonly eligible: boolean | null;
  readonly feedback: string | null;
}

/** Recommendations, whose contributions sum to their scores. */
async function recommended(client: Client, query: string): Promise<Recommended[]> {
  const { status, body } = await client.get(`/scouting/recommendations?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  for (const { score, reasons } of body.data as Recommended[])
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
  return body.data;
}

const athletesOf = async (client: Client, query: string): Promise<(string | undefined)[]> =>
  (await recommended(client, query)).map(({ athlete }) => athlete?.id);
const opportunitiesOf = async (client: Client, athlete: string): Promise<(string | undefined)[]> =>
  (await recommended(client, `athleteId=${athlete}`)).map(({ opportunity }) => opportunity?.id);

/** Each story plays in a sport of its own, so that none meets the athletes of another. */
async function offered(sport: string, more: object = {}, by = club): Promise<string> {
  const { id } = await makes(by, '/opportunities', {
    type: 'TRIAL',
    organizationId: by.organizationId,
    title: 'Come and play',
    description: 'Come and play.',
    sport,
    country: 'FR',
    applicationDeadline: inDays(30),
    totalOpenings: 2,
    status: 'PUBLISHED',
    ...more,
  });
  return id;
}

const adult = async (sport: string, more: object = {}): Promise<string> => {
  const facts = { dateOfBirth: bornFor(20, 100), status: 'ACTIVE', sports: [{ sport, level: 'NATIONAL' }] };
  return (await createAthlete(academy, { ...facts, ...more })).id;
};

describe('athletes for an opportunity', () => {
  test('are the adults whom everybody sees and who may want to come, in the words of their matches, through both doors', async () => {
    const opportunity = await offered('FOOTBALL', { positions: ['DF'], sex: 'FEMALE' });
    const left = { sport: 'FOOTBALL', positions: ['LB'], level: 'NATIONAL' };
    const near = await adult('FOOTBALL', { sports: [left], availability: { openToOpportunities: true, types: ['TRIAL'] } });
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
    await world.settled();
    const answer = await world.anonymous.get(`/scouting/recommendations?opportunityId=${opportunity}`);
    expect(answer.headers.get('cache-control')).toContain('private, no-cache');
    const list = await recommended(stranger, `opportunityId=${opportunity}`);
    expect(answer.body.data).toEqual(list);
    const ids = list.map(({ athlete }) => athlete?.id ?? '');
    expect(ids[0]).toBe(near);
    expect(new Set(ids)).toEqual(new Set([near, far, second]));
    expect(ids.some((id) => hidden.includes(id))).toBe(false);
    const matches = await told(stranger, ids, [opportunity]);
    const byAthlete = new Map(matches.map((match) => [match.athlete.id, match]));
    for (const { athlete, opportunity: of, score, reasons, eligible } of list) {
      const { components, ...match } = byAthlete.get(athlete?.id ?? '') as Told;
      expect({ score, reasons, eligible, of: of?.id }).toEqual({
        score: match.score,
        reasons: components,
        eligible: match.eligible,
        of: opportunity,
      });
    }
    const { body } = await stranger.graphql(
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
    expect(await athletesOf(stranger, `opportunityId=${opportunity}&limit=1`)).toEqual([near]);
  });

  test('who was hidden in this moment falls out, before any projection has heard of it', async () => {
    const opportunity = await offered('RUGBY');
    const [stays, goes] = [await adult('RUGBY'), await adult('RUGBY')];
    await world.settled();
    expect(new Set(await athletesOf(stranger, `opportunityId=${opportunity}`))).toEqual(new Set([stays, goes]));
    expect((await academy.patch(`/athletes/${goes}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })).status).toBe(200);
    expect(await athletesOf(stranger, `opportunityId=${opportunity}`)).toEqual([stays]);
  });

  test('of one that takes no applications are none; an unknown one, a draft and a hidden one are not found', async () => {
    const [closed, draft] = [await offered('RUGBY'), await offered('RUGBY', { status: 'DRAFT' })];
    expect((await club.post(`/opportunities/${closed}/close`)).status).toBe(200);
    expect(await recommended(stranger, `opportunityId=${closed}`)).toEqual([]);
    for (const query of [
      `opportunityId=${draft}`,
      `opportunityId=${unknown}`,
      `organizationId=${unknown}`,
      `athleteId=${unknown}`,
    ])
      expect((await stranger.get(`/scouting/recommendations?${query}`)).status).toBe(404);
    const faults = ['', `opportunityId=${closed}&athleteId=${unknown}`, `opportunityId=${closed}&sport=RUGBY`];
    for (const query of [...faults, `opportunityId=${closed}&limit=51`]) {
      const { status, body } = await stranger.get(`/scouting/recommendations?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'parameter_invalid' });
    }
  });
});

test('an organization is recommended athletes of its sports whom it has not', async () => {
  const facts = {
    type: 'CLUB',
    name: 'Rowers',
    country: 'FR',
    sports: ['TENNIS', 'CYCLING'],
    level: 'REGIONAL',
    status: 'ACTIVE',
  };
  const { id: organizationId } = await makes(academy, '/organizations', facts);
  const [rider, member, player] = [await adult('CYCLING'), await adult('CYCLING'), await adult('TENNIS')];
  const membership = { personType: 'ATHLETE', personId: member, organizationId, role: 'PLAYER', status: 'ACTIVE' };
  await makes(academy, '/organizations/memberships', membership);
  await world.settled();
  const list = await recommended(stranger, `organizationId=${organizationId}`);
  expect(new Set(list.map(({ athlete }) => athlete?.id))).toEqual(new Set([rider, player]));
  expect(list[0]).toMatchObject({ subject: 'ATHLETE', opportunity: null, organization: { id: organizationId, name: 'Rowers' } });
  expect(await athletesOf(stranger, `organizationId=${organizationId}&sport=CYCLING`)).toEqual([rider]);
  expect(await recommended(stranger, `organizationId=${organizationId}&sport=RUGBY`)).toEqual([]);
});

describe('opportunities for an athlete', () => {
  test('are at most three of one organization, and only those that take applications in this moment', async () => {
    const athlete = await adult('HANDBALL');
    const clubs = [await offered('HANDBALL'), await offered('HANDBALL'), await offered('HANDBALL'), await offered('HANDBALL')];
    const others = await offered('HANDBALL', { country: 'DE' }, academy);
    const [old, male] = [
      await offered('HANDBALL', { ageRange: { min: 30 } }, academy),
      await offered('HANDBALL', { sex: 'MALE' }, academy),
    ];
    await world.settled();
    const ids = await opportunitiesOf(world.anonymous, athlete);
    expect(ids.filter((id) => clubs.some((each) => each === id))).toHaveLength(3);
    expect(ids).toContain(others);
    expect(ids).toHaveLength(4);
    expect(ids.some((id) => id === old || id === male)).toBe(false);
    expect((await academy.post(`/opportunities/${others}/pause`)).status).toBe(200);
    expect(await opportunitiesOf(stranger, athlete)).not.toContain(others);
    const { body } = await stranger.graphql(
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

  test('of a minor are those for minors, told to the owner, and with consent to PROFILING to who has a key', async () => {
    const [young, grown] = [await offered('SWIMMING', { minorsAllowed: true }), await offered('SWIMMING')];
    const sports = [{ sport: 'SWIMMING' }];
    const profiled = await createMinor(academy, ['PROFILE', 'PROFILING'], { sports });
    const shown = await createMinor(academy, ['PROFILE'], { sports });
    await world.settled();
    for (const client of [academy, stranger]) expect(await opportunitiesOf(client, profiled)).toEqual([young]);
    expect(await opportunitiesOf(academy, shown)).toEqual([young]);
    const { headers } = await stranger.get(`/scouting/recommendations?athleteId=${profiled}`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await world.anonymous.get(`/scouting/recommendations?athleteId=${profiled}`)).status).toBe(404);
    expect((await stranger.get(`/scouting/recommendations?athleteId=${shown}`)).status).toBe(404);
    for (const id of [young, grown]) expect(await athletesOf(academy, `opportunityId=${id}`)).toEqual([]);
    const { body } = await stranger.graphql(
      `query ($ids: [ID!]!, $id: ID!) {
        opportunityMatches(athleteId: $ids, opportunityId: [$id]) { nodes { athlete { recommendedOpportunities { nodes { id } } } } }
        athlete(id: $shown) { recommendedOpportunities { nodes { id } } }
      }`.replace('$id: ID!)', '$id: ID!, $shown: ID!)'),
      { ids: [profiled], id: young, shown },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.opportunityMatches.nodes[0].athlete.recommendedOpportunities.nodes).toHaveLength(1);
    expect(body.data.athlete.recommendedOpportunities).toBeNull();
  });
});

describe('feedback', () => {
  const say = (client: Client, id: string, feedback: string, headers?: Record<string, string>) =>
    client.post(`/scouting/recommendations/${id}/feedback`, { feedback }, headers);
  let pair: [opportunities: [string, string], athletes: [string, string]];

  /** The recommendation of an athlete for an opportunity. */
  const idOf = async (client: Client, opportunity: string, athlete: string): Promise<string> => {
    const list = await recommended(client, `opportunityId=${opportunity}`);
    return list.find((each) => each.athlete?.id === athlete)?.id ?? '';
  };

  test('is the account’s own: helpful is shown, not relevant is for one recipient, hidden for all of them', async () => {
    const opportunities: [string, string] = [await offered('VOLLEYBALL'), await offered('VOLLEYBALL')];
    const athletes: [string, string] = [await adult('VOLLEYBALL'), await adult('VOLLEYBALL')];
    pair = [opportunities, athletes];
    await world.settled();
    const [[first, second], [one, other]] = pair;
    const seen = async (client: Client) => ({
      first: new Set(await athletesOf(client, `opportunityId=${first}`)),
      second: new Set(await athletesOf(client, `opportunityId=${second}`)),
    });
    const all = { first: new Set([one, other]), second: new Set([one, other]) };
    const id = await idOf(scout, first, one);
    const helpful = await say(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
    expect(helpful).toMatchObject({ status: 200, body: { id, feedback: 'HELPFUL', athlete: { id: one } } });
    const replayed = await say(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
    expect({ body: replayed.body, replayed: replayed.headers.get('idempotent-replayed') }).toEqual({
      body: helpful.body,
      replayed: 'true',
    });
    const shown = (await recommended(scout, `opportunityId=${first}`)).find((each) => each.id === id);
    expect(shown?.feedback).toBe('HELPFUL');
    expect((await recommended(stranger, `opportunityId=${first}`)).every(({ feedback }) => feedback === null)).toBe(true);
    expect(await seen(scout)).toEqual(all);
    expect((await say(scout, id, 'NOT_RELEVANT')).status).toBe(200);
    expect(await seen(scout)).toEqual({ ...all, first: new Set([other]) });
    expect((await say(scout, await idOf(scout, second, one), 'HIDDEN')).status).toBe(200);
    expect(await seen(scout)).toEqual({ first: new Set([other]), second: new Set([other]) });
    expect(await seen(stranger)).toEqual(all);
    expect((await say(scout, await idOf(stranger, second, one), 'HELPFUL')).status).toBe(200);
    expect(await seen(scout)).toEqual({ ...all, first: new Set([other]) });
  });

  test('is refused without a key or the scope, and of what is not recommended', async () => {
    const [[first], [one]] = pair;
    const id = await idOf(stranger, first, one);
    expect((await say(world.anonymous, id, 'HELPFUL')).status).toBe(401);
    const reader = await world.account({ account: 'Reader', scopes: ['scouting:read'] });
    expect((await say(reader, id, 'HELPFUL')).status).toBe(403);
    const minor = await createMinor(academy, ['PROFILE', 'PROFILING'], { sports: [{ sport: 'VOLLEYBALL' }] });
    const bytes = (...ids: string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
    const forged = (kind: number, ...ids: string[]): string =>
      Buffer.concat([Buffer.of(kind), bytes(...ids)]).toString('base64url');
    expect(forged(1, first, one)).toBe(id);
    const none = [
      forged(1, first, minor),
      forged(1, first, unknown),
      forged(1, unknown, one),
      forged(0, one, unknown),
      forged(7, first, one),
    ];
    for (const each of [...none, id.slice(1), 'nothing'])
      expect(await say(stranger, each, 'HELPFUL')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await say(stranger, id, 'GREAT')).status).toBe(422);
  });

  test('is told in the export by how often, follows a merge, and goes with the athlete', async () => {
    const [[first], [one, other]] = pair;
    const held = async () => {
      const rows = await database.query<{ id: string }>(
        sql`/* test.feedback */ select subject_id as id from scouting.recommendation_feedback order by subject_id`,
      );
      return rows.map(({ id }) => id);
    };
    const { body } = await academy.get(`/athletes/${one}/export`);
    expect(body.recommendationFeedback).toEqual([
      { feedback: 'HELPFUL', count: 1 },
      { feedback: 'NOT_RELEVANT', count: 1 },
    ]);
    expect((await say(scout, await idOf(scout, first, other), 'HELPFUL')).status).toBe(200);
    expect(await held()).toHaveLength(3);
    expect((await moderator.post(`/athletes/${one}/merge`, { intoId: other })).status).toBe(200);
    await world.settled();
    // of the same opportunity what was said of the first one stays
    expect(await held()).toEqual([other, other]);
    expect((await academy.post(`/athletes/${other}/erase`)).status).toBe(200);
    await world.settled();
    await world.upkeep();
    expect(await held()).toEqual([]);
  });
});

test('recommendations of more than ten opportunities at once are refused, whatever lists them', async () => {
  const ask = (first: number) =>
    stranger.graphql(`{ opportunities(first: ${first}) { nodes { recommendedAthletes(first: 1) { nodes { id } } } } }`);
  const { body: few } = await ask(10);
  expect(few.errors).toBeUndefined();
  const { body: many } = await ask(11);
  expect(many.errors[0].extensions.code).toBe('query_too_complex');
});

test('the read model of opportunities follows their organizations, and is the same when it is built again from nothing', async () => {
  const keeper = await verifiedAccount(world, moderator, 'Keeper', { officer: true });
  const opportunity = await offered('COMBAT', { ageRange: { min: 18 }, positions: [] }, keeper);
  const suspended = await verifiedAccount(world, moderator, 'Suspended', { officer: true });
  const gone = await offered('COMBAT', {}, suspended);
  const rows = () =>
    database.query<{ id: string; level: string | null }>(
      sql`/* test.open */ select * from scouting.open_opportunity order by id`,
    );
  await world.settled();
  expect((await rows()).map(({ id }) => id)).toEqual(expect.arrayContaining([opportunity, gone]));
  expect((await moderator.post(`/organizations/${suspended.organizationId}/suspend`, { reason: 'Fraud' })).status).toBe(200);
  const level = { level: 'INTERNATIONAL' };
  expect((await keeper.patch(`/organizations/${keeper.organizationId}`, level, { 'if-match': '*' })).status).toBe(200);
  await world.settled();
  await world.settled();
  const followed = await rows();
  expect(followed.find(({ id }) => id === opportunity)).toMatchObject(level);
  expect(followed.map(({ id }) => id)).not.toContain(gone);
  await database.query(sql`/* test.empty */ truncate scouting.open_opportunity`);
  await database.query(sql`/* test.sweep */ insert into scouting.projection_sweep (name) values ('opportunities')`);
  await world.upkeep();
  expect(await rows()).toEqual(followed);
});
