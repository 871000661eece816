/** Prospects in the moment when an athlete was hidden and scouting has not heard of it: nobody sees a score of somebody hidden. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { holdProjection } from '../relay.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, createAthlete } from './people.ts';

let world: World;
let owner: Client;
let moderator: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Agency' });
  moderator = await world.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
afterAll(() => world.close());

const adult = (more: object = {}) =>
  createAthlete(owner, { dateOfBirth: bornFor(20, 100), nationalities: ['GH'], residence: null, status: 'ACTIVE', ...more });

/** What lists and single reads tell a client about prospects, with and without the athlete asked for. */
async function scores(client: Client, id: string): Promise<unknown> {
  const rest = await client.get('/scouting/prospects?limit=100');
  const one = await client.get(`/scouting/prospects/${id}`);
  const { body } = await client.graphql(
    `query ($id: ID!) {
      prospects(first: 100) { nodes { id talentScore } edges { cursor node { id } } }
      prospect(athleteId: $id) { talentScore }
    }`,
    { id },
  );
  const { prospects, prospect } = body.data;
  return {
    rest: [rest.body.data.length, one.status],
    nodes: prospects.nodes.length,
    edges: prospects.edges.length,
    one: prospect === null,
  };
}

test('a score is gone with its athlete, before scouting was told', async () => {
  const hidden = [
    ['deactivated', (id: string) => owner.post(`/athletes/${id}/deactivate`)],
    ['private', (id: string) => owner.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })],
    ['a minor', (id: string) => owner.patch(`/athletes/${id}`, { dateOfBirth: bornFor(16, 100) }, { 'if-match': '*' })],
    ['suspended', (id: string) => moderator.post(`/athletes/${id}/suspend`, { reason: 'Reported' })],
  ] as const;
  await adult({ displayName: 'Who stays' });
  for (const [why, hide] of hidden) {
    const { id } = await adult();
    await world.settled();
    expect(await scores(world.anonymous, id)).toEqual({ rest: [2, 200], nodes: 2, edges: 2, one: false });
    const held = await holdProjection(world.database, 'scouting', 'athletes');
    try {
      expect((await hide(id)).status).toBe(200);
      const nothing = { rest: [1, 404], nodes: 1, edges: 1, one: true };
      expect({ why, seen: await scores(world.anonymous, id) }).toEqual({ why, seen: nothing });
      expect({ why, seen: await scores(owner, id) }).toEqual({ why, seen: nothing });
    } finally {
      await held.release();
    }
    await world.settled();
  }
});

test('a page that loses somebody so still leads on to the next', async () => {
  const people = [];
  for (let index = 0; index < 3; index += 1) people.push(await adult({ sports: [{ sport: 'TENNIS', level: 'PROFESSIONAL' }] }));
  await world.settled();
  const first = await world.anonymous.get('/scouting/prospects?sport=TENNIS&limit=1');
  const held = await holdProjection(world.database, 'scouting', 'athletes');
  try {
    await owner.post(`/athletes/${first.body.data[0].athlete.id}/deactivate`);
    const { body } = await world.anonymous.get('/scouting/prospects?sport=TENNIS&limit=1');
    expect(body).toMatchObject({ data: [], page: { hasMore: true } });
    const next = await world.anonymous.get(`/scouting/prospects?sport=TENNIS&limit=2&cursor=${body.page.nextCursor}`);
    expect(next.body.data).toHaveLength(2);
  } finally {
    await held.release();
  }
});
