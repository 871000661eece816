/** Lists read the columns that are asked for: whichever they are, a row shows what it shows when it is read alone. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClientSchema, getNamedType, isObjectType, type GraphQLObjectType } from 'graphql';
import { getIntrospectionQuery } from 'graphql';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, createAthlete } from './people.ts';

let world: World;
let owner: Client;
let id: string;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Owner' });
  const club = { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { body: organization } = await owner.post('/organizations', club);
  ({ id } = await createAthlete(owner, {
    status: 'ACTIVE',
    dateOfBirth: bornFor(25, 3),
    givenName: 'Ada',
    familyName: 'Quillon',
    knownAs: 'Q',
    sportingNationality: 'NGR',
    heightCm: 181,
    weightKg: 72.5,
    dominantFoot: 'LEFT',
    dominantHand: 'RIGHT',
    weightClass: '-73kg',
    education: { institutionId: organization.id, graduationYear: 2027, gpa: 3.5, gpaScale: 4 },
    availability: { openToOpportunities: true, from: '2027-01-01', types: ['TRIAL'], relocation: 'INTERNATIONAL' },
    languages: ['de', 'en'],
    media: [{ kind: 'VIDEO', url: 'https://example.org/v.mp4', title: 'Goals' }],
  }));
  const membership = { personType: 'ATHLETE', personId: id, organizationId: organization.id, role: 'PLAYER' };
  await owner.post('/organizations/memberships', membership);
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  await owner.post('/athletes/statistics', { athleteId: id, ...numbers });
  await world.settled();
});
afterAll(() => world.close());

/** Every field of a type as a selection, with what is beneath it two levels deep. */
function selections(type: GraphQLObjectType, depth: number): string[] {
  return Object.values(type.getFields()).flatMap(({ name, type: of }) => {
    const named = getNamedType(of);
    if (!isObjectType(named)) return [name];
    const inner = depth === 0 ? [] : selections(named, depth - 1);
    return inner.length === 0 ? [] : [`${name} { ${inner.join(' ')} }`];
  });
}

test('athletes', async () => {
  const { body: introspected } = await owner.graphql(getIntrospectionQuery());
  const athlete = buildClientSchema(introspected.data).getType('Athlete');
  if (!isObjectType(athlete)) throw new Error('There are no athletes.');
  const fields = ['__typename', ...selections(athlete, 2)];
  expect(fields.length).toBeGreaterThan(30);
  // whose day of birth is known has no year of birth beside it, and no team without a membership in one
  const empty = ['birthYear', 'team'];
  for (const field of fields) {
    const alone = await owner.graphql(`query ($id: ID!) { athlete(id: $id) { ${field} } }`, { id });
    // three times: the area interprets a query that it sees first, and compiles it afterwards
    for (const _ of [1, 2, 3]) {
      const listed = await owner.graphql(`{ athletes(filter: { mine: true }) {
        nodes { ${field} } edges { ...on AthleteEdge { node { ...One } } } } } fragment One on Athlete { ${field} }`);
      const expected = alone.body.data.athlete;
      expect(listed.body).toEqual({ data: { athletes: { nodes: [expected], edges: [{ node: expected }] } } });
    }
    const [name = ''] = field.split(' ', 1);
    expect([name, alone.body.data.athlete[name] === null]).toEqual([name, empty.includes(name)]);
  }
});
