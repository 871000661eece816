/** Organizations through the public doors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const arsenal = { type: 'CLUB', name: 'Arsenal FC', country: 'GB-ENG', city: 'London', sports: ['FOOTBALL'], status: 'ACTIVE' };

describe('a club', () => {
  test('is created, read through both doors, changed by its owner, and closed', async () => {
    const owner = await world.account();
    const created = await owner.post('/organizations', { ...arsenal, createTeam: true });
    expect(created.body).toMatchObject({ name: 'Arsenal FC', status: 'ACTIVE', version: 1 });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.headers.get('location')).toContain(`/api/v1/organizations/${id}`);
    const read = await world.anonymous.get(`/organizations/${id}?include=teams`);
    expect(read.body).toMatchObject({ name: 'Arsenal FC', teams: { nodes: [{ name: 'Arsenal FC', sport: 'FOOTBALL' }] } });
    const graph = await world.anonymous.graphql(
      'query ($id: ID!) { organization(id: $id) { name teams { nodes { name organization { name } } } } }',
      { id },
    );
    expect(graph.body.data.organization.teams.nodes).toEqual([{ name: 'Arsenal FC', organization: { name: 'Arsenal FC' } }]);
  });
});
