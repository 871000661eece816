/** What accounts keep for themselves, and what is between two of them, is of nobody else on any door that there is. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../../platform/log.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createGraphCaller, type Graph } from '../../../schema/entry-point.ts';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { openArea } from '../../../wiring/area.ts';
import type { Client } from '../../client.ts';
import { take } from '../opportunities/applicants.ts';
import { ask, meaning, nobody, pagesIn, rowsOf } from './private-asking.ts';
import { doors, entitiesOf, graphDoors, isPrivate, restDoors, type Door, type Ids } from './private-doors.ts';
import { openPrivateWorld, scopes, secret, type PrivateWorld } from './private-world.ts';
import { createShortlist } from '../scouting/scouts.ts';

let market: PrivateWorld;
let ids: Ids;
const unknownOf = (of: Ids): Ids => Object.fromEntries(Object.keys(of).map((name) => [name, nobody])) as Ids;

beforeAll(async () => {
  market = await openPrivateWorld();
  ids = market.ids;
});
afterAll(() => market.close());

/** Tries every door but those that make something of the caller's own: each answers as it would for ids of nobody. */
async function findsNothing(reader: Client, about: readonly Door['about'][], target: Ids): Promise<void> {
  for (const [name, door] of Object.entries(doors)) {
    if (!about.includes(door.about) || door.answer === 'OWN') continue;
    const { graph, rest, bodies } = await ask(reader, name, target);
    expect(JSON.stringify(bodies)).not.toContain(secret);
    if (door.answer === 'PAGE') {
      for (const { value, code } of graph) {
        const shown = pagesIn(value).flatMap(({ nodes, edges }) => [...nodes, ...edges]);
        expect({ name, code, pages: pagesIn(value).length > 0, shown }).toEqual({
          name,
          code: undefined,
          pages: true,
          shown: [],
        });
      }
      for (const { status, body } of rest) expect({ name, status, rows: rowsOf(body) }).toEqual({ name, status: 200, rows: [] });
      continue;
    }
    const code = door.answer === 'REJECTED' ? 'not_found' : undefined;
    for (const answer of graph) expect({ name, value: answer.value, code: answer.code }).toEqual({ name, value: null, code });
    for (const { body } of rest) expect({ name, body }).toMatchObject({ name, body: { status: 404, code: 'not_found' } });
    const none = await ask(reader, name, unknownOf(ids));
    expect(meaning(bodies, target)).toBe(meaning(none.bodies, unknownOf(ids)));
  }
}

test('every door is known, and what it answers to who is no side', () => {
  expect(Object.keys(doors).toSorted()).toEqual(graphDoors);
  expect(graphDoors.filter((name) => !restDoors.has(name))).toEqual(['Opportunity.applications']);
});

test('the sides come through every door that reads', async () => {
  const sides = { application: market.agent, shortlist: market.scout, request: market.scout, export: market.agent };
  for (const [name, door] of Object.entries(doors)) {
    if (door.answer !== 'NULL' && door.answer !== 'PAGE') continue;
    const { graph, rest } = await ask(sides[door.about], name, ids);
    for (const { value, code } of graph) {
      expect({ name, code, value }).toEqual({ name, code: undefined, value: expect.anything() });
      for (const { nodes } of pagesIn(value).slice(0, 1)) expect({ name, some: nodes.length > 0 }).toEqual({ name, some: true });
    }
    for (const { status, body } of rest) expect({ name, status, body }).toMatchObject({ name, status: 200 });
  }
});

test('a third account finds and changes nothing, whatever rights it has and whatever ids it knows', async () => {
  const before = await market.everything();
  await findsNothing(market.third, ['application', 'request', 'export'], ids);
  await findsNothing(market.other, ['shortlist'], ids);
  await findsNothing(market.other, ['application'], { ...ids, application: market.draft });
  expect(await market.everything()).toBe(before);
});

test('what is of somebody else is not within what is the own', async () => {
  const before = await market.everything();
  const names = Object.keys(doors).filter((name) => /Entry$|Report/.test(name) && name !== 'Mutation.addShortlistEntry');
  for (const target of [
    { ...ids, shortlist: market.own.shortlist },
    { ...ids, ...market.own },
  ])
    for (const name of names.filter((each) => target.entry === ids.entry || each === 'Query.scoutingReport')) {
      const { graph, rest, bodies } = await ask(market.third, name, target);
      expect({ name, values: graph.map(({ value }) => value) }).toEqual({ name, values: [null] });
      expect({ name, codes: rest.map(({ body }) => body.code) }).toEqual({ name, codes: ['not_found'] });
      expect(JSON.stringify(bodies)).not.toContain(secret);
    }
  expect(await market.everything()).toBe(before);
});

test('a side finds nothing of what is before it, or beside it', async () => {
  const before = await market.everything();
  await findsNothing(market.owner, ['shortlist', 'request', 'export'], ids);
  for (const [name, door] of Object.entries(doors)) {
    if (door.about !== 'application' || door.answer === 'OWN' || door.answer === 'PAGE') continue;
    const { bodies } = await ask(market.owner, name, { ...ids, application: market.draft });
    const none = await ask(market.owner, name, { ...ids, application: nobody });
    expect(meaning(bodies, { ...ids, application: market.draft })).toBe(meaning(none.bodies, { ...ids, application: nobody }));
  }
  for (const name of ['Query.applications', 'Query.opportunityApplications', 'Opportunity.applications']) {
    const { bodies } = await ask(market.owner, name, ids);
    for (const body of bodies) expect(JSON.stringify(body)).toContain(ids.application);
    expect(JSON.stringify(bodies)).not.toContain(market.draft);
  }
  await findsNothing(market.agent, ['shortlist'], ids);
  await findsNothing(market.scout, ['application', 'export'], ids);
  expect(await market.everything()).toBe(before);
});

test('no filter, no other account’s cursor, and no key of a repeated request finds anything', async () => {
  for (const [side, path, filters] of [
    [
      market.agent,
      '/opportunities/applications',
      [`opportunityId=${ids.opportunity}`, `athleteId=${ids.athlete}`, 'side=OPPORTUNITY'],
    ],
    [market.scout, '/scouting/shortlists', []],
    [market.scout, '/scouting/contact-requests', ['side=OWNER', 'status=SENT']],
  ] as const) {
    const mine = new Set((await side.get(`${path}?limit=100`)).body.data.map(({ id }: { id: string }) => id));
    const since = 'updatedSince=2000-01-01T00:00:00Z';
    for (const filter of [...filters, since, ...(path.includes('contact') ? [] : ['externalId=CRM:same'])]) {
      const { status, body } = await market.third.get(`${path}?${filter}`);
      const shown = rowsOf(body).filter((row) => mine.has((row as { id: string }).id));
      expect({ path, filter, status, shown }).toEqual({ path, filter, status: 200, shown: [] });
    }
  }
  for (const name of ['One', 'Two', 'Three']) await createShortlist(market.scout, { name });
  const { body } = await market.scout.get('/scouting/shortlists?limit=1');
  const after = await market.third.get(`/scouting/shortlists?limit=1&cursor=${encodeURIComponent(body.page.nextCursor)}`);
  for (const { id } of after.body.data ?? []) expect(id).toBe(market.own.shortlist);
  const key = { 'idempotency-key': 'one-key' };
  const said = { name: secret, externalIds: [{ scheme: 'CRM', value: 'again' }] };
  const [first, second] = [
    await market.scout.post('/scouting/shortlists', said, key),
    await market.third.post('/scouting/shortlists', said, key),
  ];
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, null]);
  expect(second.body.id).not.toBe(first.body.id);
});

test('nobody applies for, or is asked about, what is hidden; what was done by others is not told', async () => {
  const applied = await market.third.post('/opportunities/applications', {
    opportunityId: ids.opportunity,
    athleteId: ids.athlete,
  });
  expect(applied.body).toMatchObject({ status: 403, code: 'not_owner' });
  expect(applied.body.existingId).toBeUndefined();
  const wish = await market.third.post('/scouting/contact-requests', { athleteId: ids.athlete, message: 'May we?' });
  expect(wish.status).toBe(201);
  expect((await market.scout.get(`/scouting/contact-requests/${wish.body.id}`)).status).toBe(404);
});

test('without a key, or without the right, every door is shut before anything is looked for', async () => {
  const other = await market.platform.account({ account: 'Agent', scopes: ['athletes:write'] });
  for (const [reader, status, code] of [
    [market.platform.anonymous, 401, 'api_key_missing'],
    [other, 403, 'insufficient_scope'],
  ] as const)
    for (const [name, door] of Object.entries(doors)) {
      if (door.about === 'export') continue;
      const { graph, rest } = await ask(reader, name, ids);
      for (const { body } of rest) expect({ name, body }).toMatchObject({ name, body: { status, code } });
      for (const answer of graph)
        expect({ name, body: JSON.stringify(answer.body).includes(secret) }).toEqual({ name, body: false });
      // a field within what everybody reads says what right is missing, also without a key
      const told = name.startsWith('Opportunity.') ? 'insufficient_scope' : code;
      expect({ name, codes: new Set(graph.map((answer) => answer.code)) }).toEqual({ name, codes: new Set([told]) });
    }
  await findsNothing(market.platform.anonymous, ['export'], ids);
});

interface EntityType {
  readonly name: string;
  readonly fields: readonly {
    readonly type: { readonly name: string | null; readonly ofType: { readonly name: string | null } | null };
  }[];
}

describe('references between areas', () => {
  const log = createLog({ name: 'test', level: 'error' });
  async function open(area: 'athletes' | 'opportunities' | 'scouting', graphAs: (viewer: Viewer) => Graph) {
    const { secrets } = market.platform.database;
    const opened = await openArea(area, { databaseUrl: market.platform.database.urlAs(areaRole(area)), secrets, log, graphAs });
    const query = async (viewer: Viewer, text: string, variables: Readonly<Record<string, unknown>> = {}) =>
      opened.query({ query: text, variables, viewer, operationName: null, requestId: 'test', signal: undefined });
    return { query, close: () => opened.close() };
  }

  test.each(['opportunities', 'scouting'] as const)(
    'show nothing to a third account, also where the area %s is asked itself',
    async (name) => {
      const athletes = await open('athletes', () => createGraphCaller(() => Promise.resolve({})));
      const graphAs = (viewer: Viewer): Graph =>
        createGraphCaller(async (text, variables) => (await athletes.query(viewer, text, variables)).data ?? {});
      const area = await open(name, graphAs);
      const { rows } = await market.rows.query(
        `select account_id as account from organizations.organization where id = $1
       union all select account_id from athletes.athlete where id = $2`,
        [market.third.organizationId, ids.athlete],
      );
      const entities = '{ __type(name: "_Entity") { possibleTypes { name fields { type { name ofType { name } } } } } }';
      const { data } = await area.query(ANONYMOUS, entities);
      const answering = (data?.['__type'] as { possibleTypes: readonly EntityType[] }).possibleTypes.filter(
        (entity) => isPrivate(entity.name) || entity.fields.some(({ type }) => isPrivate(type.name ?? type.ofType?.name ?? '')),
      );
      const told = Object.entries(entitiesOf(ids)[name]);
      expect(told.map(([type]) => type)).toEqual(expect.arrayContaining(answering.map((entity) => entity.name)));
      for (const [type, [id, selected]] of told) {
        const text = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${type} { ${selected} } } }`;
        const seenBy = async (accountId: string) => {
          const viewer: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId, scopes: [...scopes] };
          return JSON.stringify((await area.query(viewer, text, { r: [{ __typename: type, id }] })).data?.['_entities']);
        };
        const [thirds, owners] = await Promise.all(rows.map(({ account }) => seenBy(account)));
        const found = [ids.application, ids.report, ids.request, secret].map((each) => [
          thirds?.includes(each),
          owners?.includes(each),
        ]);
        expect({ type, thirds: found.some(([of]) => of), owners: found.some(([, of]) => of) }).toEqual({
          type,
          thirds: false,
          owners: true,
        });
      }
      await Promise.all([area.close(), athletes.close()]);
    },
  );

  test('are made by areas alone: no client says that an application lives', async () => {
    const reference = { __typename: 'Athlete', applicant: ids.athlete, lives: true };
    const forged = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Athlete { displayName } } }';
    const hidden = '{ application(id: "x") { athlete { lives } } }';
    for (const answer of [await market.third.graphql(forged, { r: [reference] }), await market.third.graphql(hidden)])
      expect(answer.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const hide = await market.agent.patch(`/athletes/${ids.athlete}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    expect(hide.status).toBe(200);
    const aliased = `query ($id: ID!) { application(id: $id) { athlete { lives: __typename applicant: id displayName } } }`;
    const read = async () => (await market.owner.graphql(aliased, { id: ids.application })).body.data.application.athlete;
    expect(await read()).toMatchObject({ lives: 'Athlete', applicant: ids.athlete, displayName: expect.any(String) });
    await take(market.owner, ids.application, 'rescind');
    expect(await read()).toBeNull();
  });
});
