/** The visibility of athletes as one table, on every path, for every status, visibility and age. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../../platform/log.ts';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import { openArea } from '../../../wiring/area.ts';
import type { Subgraph } from '../../../subgraphs/runtime/subgraph.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, facts } from './people.ts';

const statuses = ['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED'] as const;
const visibilities = ['PUBLIC', 'ORGANIZATIONS', 'PRIVATE'] as const;
const ages = ['adult', 'minor', 'unknown'] as const;
const cases = statuses.flatMap((status) =>
  visibilities.flatMap((visibility) => ages.map((age) => ({ status, visibility, age, name: `${status} ${visibility} ${age}` }))),
);

/** The viewers that can read each athlete, in addition to its owner and the system. */
const viewersWithAccess: Readonly<Record<string, readonly string[]>> = {
  'ACTIVE PUBLIC adult': ['anonymous', 'another account', 'an account with a verified organization'],
  'ACTIVE ORGANIZATIONS adult': ['an account with a verified organization'],
};
const seenBy = (viewer: string): string[] =>
  cases.map(({ name }) => name).filter((name) => viewer === 'the owner' || viewer === 'the system' || isVisibleTo(viewer, name));
const isVisibleTo = (viewer: string, name: string): boolean => viewersWithAccess[name]?.includes(viewer) === true;
/** Lists return owners what they return others; own athletes need `mine`. */
const listedFor = (viewer: string): string[] => (viewer === 'the owner' ? seenBy('another account') : seenBy(viewer));

const items = cases.map(({ name }) => ({ ...facts({ dateOfBirth: bornFor(25, 3), status: 'ACTIVE' }), displayName: name }));
let platform: TestPlatform;
let area: Subgraph;
let clients: Readonly<Record<string, Client>>;
let organizationId: string;
const names = new Map<string, string>();
const rowNames = new Map<string, string>();

beforeAll(async () => {
  platform = await openTestPlatform();
  const [owner, other, holder, moderator] = await Promise.all([
    platform.account({ account: 'Owner' }),
    platform.account({ account: 'Other' }),
    platform.account({ account: 'Holder' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
  ]);
  clients = {
    anonymous: platform.anonymous,
    'the owner': owner,
    'another account': other,
    'an account with a verified organization': holder,
  };
  const club = { type: 'CLUB', name: 'Matrix', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  organizationId = (await owner.post('/organizations', club)).body.id;
  const team = { name: 'Matrix', sport: 'FOOTBALL', category: 'WOMEN', organizationId };
  const { id: teamId } = (await owner.post('/organizations/teams', team)).body;
  const { id: heldClub } = (await holder.post('/organizations', club)).body;
  await moderator.post(`/organizations/${heldClub}/verify`, {});
  const created = (await owner.post('/athletes/batch', { items })).body.data as { id: string }[];
  for (const [index, { id }] of created.entries()) {
    const name = cases[index]?.name ?? '';
    names.set(id, name);
    const member = { personType: 'ATHLETE', personId: id, organizationId, teamId, role: 'PLAYER' };
    expect(await owner.post('/organizations/memberships', member)).toMatchObject({ status: 201 });
    const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
    rowNames.set((await owner.post('/athletes/statistics', { athleteId: id, ...numbers })).body.id, name);
  }
  await platform.settled();
  // set in the database, including combinations that no transition reaches: an active minor must be hidden too
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-states', poolSize: 1 });
  for (const [id, name] of names) {
    const { status, visibility, age } = cases.find((each) => each.name === name) ?? { status: '', visibility: '', age: '' };
    const born = age === 'minor' ? bornFor(15, 3) : age === 'adult' ? bornFor(25, 3) : null;
    const adult = born && `${Number(born.slice(0, 4)) + 18}${born.slice(4).replace('02-29', '03-01')}`;
    await database.query(sql`/* test.state */ update athletes.athlete
      set status = ${status}, visibility = ${visibility}, date_of_birth = ${born}, adult_from = ${adult} where id = ${id}`);
  }
  await database.close();
  const graphAs = () => () => Promise.reject(new Error('no other area is queried'));
  const log = createLog({ name: 'test', level: 'error' });
  const { secrets } = platform.database;
  area = await openArea('athletes', { databaseUrl: platform.database.urlAs(areaRole('athletes')), secrets, log, graphAs });
});
afterAll(async () => {
  await area.close();
  await platform.close();
});

const inOrder = (found: Iterable<string>): string[] => cases.map(({ name }) => name).filter((name) => new Set(found).has(name));
const named = (ids: Iterable<string | undefined>): string[] => inOrder([...ids].flatMap((id) => names.get(id ?? '') ?? []));

/** The athletes whose path responds with 200. The others respond like unknown ids. */
async function answering(client: Client, ids: ReadonlyMap<string, string>, path: (id: string) => string): Promise<string[]> {
  const found: string[] = [];
  for (const [id, name] of ids) {
    const { status, body } = await client.get(path(id));
    expect([name, status, status === 404 ? body.code : undefined]).toEqual([
      name,
      status === 200 ? 200 : 404,
      status === 200 ? undefined : 'not_found',
    ]);
    if (status === 200) found.push(name);
  }
  return inOrder(found);
}

describe.each(['anonymous', 'the owner', 'another account', 'an account with a verified organization'])('%s', (viewer) => {
  const client = (): Client => clients[viewer] as Client;
  const listed = async (path: string): Promise<string[]> => {
    const { status, body } = await client().get(path);
    expect(status).toBe(200);
    return named(body.data.map((each: { id: string }) => each.id));
  };

  test('lists follow the table, with every filter', async () => {
    const filters = ['', 'q=adult', 'sport=FOOTBALL', 'level=NATIONAL', 'sort=name', `organizationId=${organizationId}`];
    for (const filter of [...filters, 'updatedSince=2020-01-01T00:00:00Z']) {
      expect({ filter, found: await listed(`/athletes?limit=100&${filter}`) }).toEqual({ filter, found: listedFor(viewer) });
    }
    expect(await listed('/athletes?limit=100&ageMax=17')).toEqual([]);
    const found: string[] = [];
    for (const { externalIds, displayName } of items) {
      found.push(...((await listed(`/athletes?externalId=TEST:${externalIds[0]?.value ?? ''}`)).length > 0 ? [displayName] : []));
    }
    expect(inOrder(found)).toEqual(listedFor(viewer));
  });

  test('reads by id follow the table', async () => {
    expect(await answering(client(), names, (id) => `/athletes/${id}`)).toEqual(seenBy(viewer));
  });

  test('statistics follow the table, in their list and per athlete', async () => {
    const { body } = await client().get('/athletes/statistics?limit=100');
    expect(inOrder(body.data.map((each: { id: string }) => rowNames.get(each.id)))).toEqual(seenBy(viewer));
    const found: string[] = [];
    for (const [id, name] of names) {
      if ((await client().get(`/athletes/statistics?athleteId=${id}`)).body.data.length > 0) found.push(name);
    }
    expect(inOrder(found)).toEqual(seenBy(viewer));
  });

  test('GraphQL follows the table, by id, in lists and through other resources', async () => {
    const { body } = await client().graphql(`{
      athletes(first: 100) { nodes { id } }
      athleteStatistics(first: 100) { nodes { id athlete { id } } }
      organization(id: "${organizationId}") { teams { nodes { members(first: 100) { nodes { athlete { id } } } } } }
    }`);
    expect(body.errors).toBeUndefined();
    const { athletes, athleteStatistics, organization } = body.data;
    expect(named(athletes.nodes.map((each: { id: string }) => each.id))).toEqual(listedFor(viewer));
    expect(named(athleteStatistics.nodes.map((each: { athlete: { id: string } }) => each.athlete.id))).toEqual(seenBy(viewer));
    const members = organization.teams.nodes[0].members.nodes as { athlete: { id: string } | null }[];
    expect(named(members.map(({ athlete }) => athlete?.id))).toEqual(seenBy(viewer));
  });

  test('GraphQL reads of single athletes and statistics follow the table', async () => {
    const query = `query ($id: ID!, $row: ID!) {
      athlete(id: $id) { id statistics { nodes { id } } }
      athleteStatisticsRow(id: $row) { id athlete { id } }
    }`;
    for (const [row, name] of rowNames) {
      const id = [...names].find(([, each]) => each === name)?.[0];
      const { body } = await client().graphql(query, { id, row });
      const whole = { athlete: { id, statistics: { nodes: [{ id: row }] } }, athleteStatisticsRow: { id: row, athlete: { id } } };
      const data = seenBy(viewer).includes(name) ? whole : { athlete: null, athleteStatisticsRow: null };
      expect({ name, body }).toEqual({ name, body: { data } });
    }
  });
});

test('the owner finds all athletes with `mine`; others find no tombstone or id of a hidden one', async () => {
  const mine = await clients['the owner']?.get('/athletes?mine=true&limit=100');
  expect(named(mine?.body.data.map((each: { id: string }) => each.id))).toEqual(seenBy('the owner'));
  const hidden = [...names].filter(([, name]) => !isVisibleTo('anonymous', name)).map(([id]) => id);
  const changes = JSON.stringify(
    (await platform.anonymous.send('/athletes?limit=100&updatedSince=2020-01-01T00:00:00Z', {})).body,
  );
  expect(hidden.filter((id) => changes.includes(id))).toEqual([]);
});

test('the system reads everything', async () => {
  const query = '{ athletes(first: 100) { nodes { id } } athleteStatistics(first: 100) { nodes { athlete { id } } } }';
  const { data } = await area.query({
    query,
    variables: {},
    operationName: null,
    viewer: SYSTEM,
    requestId: 'test',
    signal: undefined,
  });
  const { athletes, athleteStatistics } = data as Record<string, { nodes: { id: string; athlete: { id: string } }[] }>;
  expect(named(athletes?.nodes.map(({ id }) => id) ?? [])).toEqual(seenBy('the system'));
  expect(named(athleteStatistics?.nodes.map(({ athlete }) => athlete.id) ?? [])).toEqual(seenBy('the system'));
});
