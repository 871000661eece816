/** The visibility matrix: every viewer, age, visibility, consent and field, on every path that returns an athlete. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../../client.ts';
import * as table from './visibility-table.ts';
import {
  isListed,
  mayFilter,
  readers,
  expectedProfile,
  expectedVisibility,
  type Person,
  type Profile,
  type Reader,
} from './visibility-table.ts';
import { openVisibilityFixture, sharedMembers, type VisibilityFixture } from './visibility-fixture.ts';

let platform: VisibilityFixture;
/** The whole profiles, as the owner reads them, by id. */
const whole = new Map<string, Profile>();
const allReaders = Object.keys(readers) as Reader[];
const others = allReaders.filter((reader) => reader !== 'owner');

/** The response to a query of a viewer. */
async function runQuery(reader: Reader, query: string, variables: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  const { body } = await platform.clients[reader].graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** All athletes by id with all fields, two per request. */
async function profiles(reader: Reader): Promise<Map<string, Profile | null>> {
  const places = [0, 1];
  const query = `query (${places.map((place) => `$p${place}: ID!`).join(' ')}) {
    ${places.map((place) => `a${place}: athlete(id: $p${place}) { ...all }`).join('\n')}
  } fragment all on Athlete { ${table.everything} }`;
  const found = new Map<string, Profile | null>();
  for (let from = 0; from < platform.people.length; from += places.length) {
    const ids = places.map((place) => platform.people[from + place]?.id ?? platform.people[0]?.id ?? '');
    const data = await runQuery(reader, query, Object.fromEntries(ids.map((id, place) => [`p${place}`, id])));
    ids.forEach((id, place) => found.set(id, data[`a${place}`]));
  }
  return found;
}

beforeAll(async () => {
  platform = await openVisibilityFixture();
  for (const [id, profile] of await profiles('owner')) if (profile) whole.set(id, profile);
});
afterAll(() => platform.close());

const expected = (reader: Reader, person: Person, of: Profile = whole.get(person.id) ?? {}): Profile | null =>
  expectedProfile(reader, person, of);
/** The members of the whole profile without lists. */
const part = (id: string): Profile =>
  Object.fromEntries(Object.entries(whole.get(id) ?? {}).filter(([name]) => !table.isList(name)));
const expectedParts = (reader: Reader, people: readonly Person[] = platform.people): (Profile | null)[] =>
  people.map((person) => expected(reader, person, part(person.id)));
const idsOf = (people: readonly Person[]): string[] => people.map(({ id }) => id).toSorted();

test('the table covers every field of an athlete', () => {
  const known = [...Object.keys({ ...table.fields, ...table.fieldsOfOthers }), ...table.computed];
  expect(known.toSorted()).toEqual(table.fieldsOfSchema().toSorted());
});

test('the owner reads all that was written', () => {
  expect(whole.size).toBe(platform.people.length);
  for (const profile of whole.values()) {
    expect(profile).toMatchObject({
      ...sharedMembers,
      sports: [{ ...sharedMembers.sports[0], primary: true }],
      restricted: false,
    });
    expect(profile).toMatchObject({ organization: { id: platform.organizationId }, statistics: { nodes: [{}, {}, {}, {}] } });
    expect(profile).toMatchObject({ results: { nodes: [{ mark: { value: expect.any(Number) } }] } });
    expect(profile).toMatchObject({ personalBests: [{ eventCode: '50_FREE' }] });
  }
});

describe.each(allReaders)('%s', (reader) => {
  test('reads each athlete over GraphQL', async () => {
    const found = await profiles(reader);
    for (const person of platform.people)
      expect({ person, profile: found.get(person.id) }).toEqual({ person, profile: expected(reader, person) });
  });

  test('reads each athlete over REST, with all includes', async () => {
    // REST and GraphQL share the code: test a sample of the restricted athletes
    const some = platform.people.filter(({ age, visibility }) => visibility === 'PUBLIC' || age === 'adult');
    for (const person of some) {
      const { id } = person;
      const response = await platform.clients[reader].get(`/athletes/${id}?include=organization,team,statistics`);
      const visible = expected(reader, person);
      expect({ person, status: response.status }).toEqual({ person, status: visible ? 200 : 404 });
      if (visible === null) continue;
      for (const [name, value] of Object.entries(response.body as Profile)) {
        const [is, want] = [value, visible[name]];
        if (name === 'statistics') expect((is as { nodes: [] }).nodes).toHaveLength((want as { nodes: [] }).nodes.length);
        else expect({ person, name, is: alike(is, want) }).toEqual({ person, name, is: alike(want, is) });
      }
      // an athlete that came of age without consent is an inactive adult
      const minor = person.age !== 'adult' && !(person.age === 'turned 18' && person.consent === 'none');
      expect(response.headers.get('cache-control')).toBe(minor ? 'private, no-store' : 'private, no-cache');
    }
  });

  test('lists athletes over REST and GraphQL, as nodes and edges', async () => {
    const listed = platform.people.filter((person) => isListed(reader, person));
    const rest = await platform.clients[reader].get('/athletes?limit=100&include=organization,team');
    expect(rest.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(idsOf(listed));
    for (const each of rest.body.data as Profile[]) {
      const visible = listed.filter(({ id }) => id === each['id']).map((person) => expected(reader, person))[0];
      expect(each).toMatchObject({ displayName: visible?.['displayName'], heightCm: visible?.['heightCm'] });
      expect(each).toMatchObject({ organization: visible?.['organization'], team: visible?.['team'] });
    }
    for (const shape of ['nodes', 'edges { node']) {
      const close = shape === 'nodes' ? '' : '}';
      const data = await runQuery(reader, `{ athletes(first: 100) { ${shape} { ${table.withoutLists} } ${close} } }`);
      const rows: Profile[] = data.athletes.nodes ?? data.athletes.edges.map(({ node }: { node: Profile }) => node);
      const byId = new Map(rows.map((row) => [row['id'], row]));
      expect([...byId.keys()].toSorted()).toEqual(idsOf(listed));
      expect(listed.map(({ id }) => byId.get(id))).toEqual(expectedParts(reader, listed));
    }
  });

  test('reads them in team sheets, races, standings and replays', async () => {
    const athlete = `athlete { ${table.withoutLists} }`;
    const { match } = await runQuery(reader, `query ($id: ID!) { match(id: $id) { participants { lineup { ${athlete} } } } }`, {
      id: platform.matchId,
    });
    const athletesOf = (rows: readonly { athlete: Profile | null }[]) => rows.map((row) => row.athlete);
    expect(athletesOf(match.participants[0].lineup)).toEqual(expectedParts(reader));
    const { matchResult } = await runQuery(
      reader,
      `query ($id: ID!) { matchResult(matchId: $id) { participants { participant { externalIds { value } ${athlete} } } } }`,
      { id: platform.raceId },
    );
    const swim = matchResult.participants.map((row: { participant: unknown }) => row.participant);
    expect(athletesOf(swim)).toEqual(expectedParts(reader));
    // the organizer's name for a hidden athlete would reveal the athlete
    const named = swim.map(({ externalIds }: { externalIds: unknown[] }) => externalIds.length > 0);
    expect(named).toEqual(
      platform.people.map(({ age, visibility }) => reader === 'owner' || (age === 'adult' && visibility === 'PUBLIC')),
    );
    const table_ = await runQuery(
      reader,
      `query ($id: ID!) { rankings(first: 100, filter: { stageId: $id }) { nodes { participant { ${athlete} } } } }`,
      { id: platform.stageId },
    );
    expect(athletesOf(table_.rankings.nodes.map((row: { participant: unknown }) => row.participant))).toEqual(
      expectedParts(reader),
    );
    const { replay } = await runQuery(reader, `query ($id: ID!) { replay(id: $id) { tags { ${athlete} } } }`, {
      id: platform.replayId,
    });
    expect(athletesOf(replay.tags)).toEqual(expectedParts(reader, platform.tagged));
  });

  test('reads them in statistics, memberships and prospects', async () => {
    const mine = platform.people.filter((person) => mayFilter(reader, person, 'PROFILE') || reader === 'owner');
    const numbers = await runQuery(
      reader,
      `{ athleteStatistics(first: 100, filter: { source: PROVIDER }) { nodes { athlete { ${table.withoutLists} } } } }`,
    );
    const rows: { athlete: Profile }[] = numbers.athleteStatistics.nodes;
    const byId = new Map(rows.map(({ athlete }) => [athlete['id'], athlete]));
    expect([...byId.keys()].toSorted()).toEqual(idsOf(mine));
    expect(mine.map(({ id }) => byId.get(id))).toEqual(expectedParts(reader, mine));
    const ids = async (path: string, of: (row: Record<string, { id: string }>) => string | undefined) => {
      const { body } = await platform.clients[reader].get(path);
      return body.data.map(of).toSorted();
    };
    const publicAdults = platform.people.filter(({ age, visibility }) => age === 'adult' && visibility === 'PUBLIC');
    const members = `/organizations/${platform.organizationId}/members?limit=100`;
    const known = reader === 'owner' ? platform.people : publicAdults;
    expect(await ids(members, ({ athlete }) => athlete?.id)).toEqual(idsOf(known));
    expect(await ids('/scouting/prospects?limit=100', ({ athlete }) => athlete?.id)).toEqual(idsOf(publicAdults));
    for (const { id } of platform.people.filter(
      (person) => person.consent === 'withdrawn' && expectedVisibility(reader, person) === null,
    ))
      expect((await platform.clients[reader].get(`/athletes/${id}/statistics`)).body.data).toEqual([]);
  });
});

test('synchronization reports only athletes that were public before', async () => {
  const removed = platform.people.filter(({ consent, visibility }) => consent === 'withdrawn' && visibility === 'PUBLIC');
  for (const reader of others) {
    const { body } = await platform.clients[reader].get('/athletes?updatedSince=2020-01-01T00:00:00Z&limit=100');
    const listed = platform.people.filter((person) => isListed(reader, person));
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(idsOf(listed));
    expect(body.tombstones.map(({ id }: { id: string }) => id).toSorted()).toEqual(idsOf(removed));
  }
});

/** The members of a value, or of each list item, that REST and GraphQL share. */
function alike(value: unknown, other: unknown): unknown {
  if (value === null || other === null || typeof value !== 'object' || typeof other !== 'object') return value;
  if (Array.isArray(value)) return value.map((each, index) => alike(each, (other as unknown[])[index] ?? null));
  const both = Object.entries(value).filter(([name]) => Object.hasOwn(other, name));
  return Object.fromEntries(both.map(([name, each]) => [name, alike(each, (other as Profile)[name])]));
}
