/** Resources that are private to one account or to two sides are inaccessible to all other accounts, through every operation. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../../platform/log.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createGraphCaller, type Graph } from '../../../schema/entry-point.ts';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { openArea } from '../../../wiring/area.ts';
import type { Client } from '../../client.ts';
import { applyTransitions } from '../opportunities/applicants.ts';
import { sendBoth, normalized, unknownId, pagesIn, rowsOf } from './private-requests.ts';
import { entitiesOf, isPrivate, operations, privateFields, restOperations } from './private-operations.ts';
import type { Ids, PrivateOperation } from './private-operations.ts';
import { openPrivateData, scopes, secret, type PrivateData } from './private-data.ts';
import { createShortlist } from '../scouting/scouts.ts';

let market: PrivateData;
let ids: Ids;
const unknownOf = (of: Ids): Ids => Object.fromEntries(Object.keys(of).map((name) => [name, unknownId])) as Ids;

beforeAll(async () => {
  market = await openPrivateData();
  ids = market.ids;
});
afterAll(() => market.close());

/** Sends every operation except those that create own resources: each responds as for unknown ids. */
async function expectNoAccess(reader: Client, about: readonly PrivateOperation['about'][], target: Ids): Promise<void> {
  for (const [name, operation] of Object.entries(operations)) {
    if (!about.includes(operation.about) || operation.response === 'OWN') continue;
    const { graph, rest, bodies } = await sendBoth(reader, name, target);
    expect(JSON.stringify(bodies)).not.toContain(secret);
    if (operation.response === 'PAGE') {
      for (const { value, code } of graph) {
        const visible = pagesIn(value).flatMap(({ nodes, edges }) => [...nodes, ...edges]);
        const pages = pagesIn(value).length > 0;
        expect({ name, code, pages, visible }).toEqual({ name, code: undefined, pages: true, visible: [] });
      }
      for (const { status, body } of rest) expect({ name, status, rows: rowsOf(body) }).toEqual({ name, status: 200, rows: [] });
      continue;
    }
    const code = operation.response === 'REJECTED' ? 'not_found' : undefined;
    for (const response of graph)
      expect({ name, value: response.value, code: response.code }).toEqual({ name, value: null, code });
    for (const { body } of rest) expect({ name, body }).toMatchObject({ name, body: { status: 404, code: 'not_found' } });
    const none = await sendBoth(reader, name, unknownOf(ids));
    expect(normalized(bodies, target)).toBe(normalized(none.bodies, unknownOf(ids)));
  }
}

test('every private operation of the schema is covered', () => {
  expect(Object.keys(operations).toSorted()).toEqual(privateFields);
  expect(privateFields.filter((name) => !restOperations.has(name))).toEqual(['Opportunity.applications']);
});

test('the sides can read with every operation', async () => {
  const sides = { application: market.agent, shortlist: market.scout, request: market.scout, export: market.agent };
  for (const [name, operation] of Object.entries(operations)) {
    if (!['NULL', 'PAGE'].includes(operation.response)) continue;
    const { graph, rest } = await sendBoth(sides[operation.about], name, ids);
    for (const { value, code } of graph) {
      expect({ name, code, value }).toEqual({ name, code: undefined, value: expect.anything() });
      for (const { nodes } of pagesIn(value).slice(0, 1)) expect({ name, some: nodes.length > 0 }).toEqual({ name, some: true });
    }
    for (const { status, body } of rest) expect({ name, status, body }).toMatchObject({ name, status: 200 });
  }
});

test('a third account can neither read nor change anything, with all scopes and with known ids', async () => {
  const before = await market.dumpRows();
  await expectNoAccess(market.third, ['application', 'request', 'export'], ids);
  await expectNoAccess(market.other, ['shortlist'], ids);
  await expectNoAccess(market.other, ['application'], { ...ids, application: market.draft });
  expect(await market.dumpRows()).toBe(before);
});

test('resources of another account cannot be reached through own ones', async () => {
  const before = await market.dumpRows();
  const names = Object.keys(operations).filter(
    (name) => /Entry$|Report/.test(name) && name !== 'Mutation.addShortlistEntry' && operations[name]?.response !== 'PAGE',
  );
  for (const own of [{ shortlist: market.own.shortlist }, market.own]) {
    const target = { ...ids, ...own };
    for (const name of names.filter((each) => target.entry === ids.entry || each === 'Query.scoutingReport')) {
      const { graph, rest, bodies } = await sendBoth(market.third, name, target);
      expect({ name, values: graph.map(({ value }) => value) }).toEqual({ name, values: [null] });
      expect({ name, codes: rest.map(({ body }) => body.code) }).toEqual({ name, codes: ['not_found'] });
      expect(JSON.stringify(bodies)).not.toContain(secret);
    }
  }
  expect(await market.dumpRows()).toBe(before);
});

test('a side can read neither the drafts nor the other resources of the other side', async () => {
  const before = await market.dumpRows();
  await expectNoAccess(market.owner, ['shortlist', 'request', 'export'], ids);
  for (const [name, operation] of Object.entries(operations)) {
    if (operation.about !== 'application' || operation.response === 'OWN' || operation.response === 'PAGE') continue;
    const { bodies } = await sendBoth(market.owner, name, { ...ids, application: market.draft });
    const none = await sendBoth(market.owner, name, { ...ids, application: unknownId });
    expect(normalized(bodies, { ...ids, application: market.draft })).toBe(
      normalized(none.bodies, { ...ids, application: unknownId }),
    );
  }
  for (const name of ['Query.applications', 'Query.opportunityApplications', 'Opportunity.applications']) {
    const { bodies } = await sendBoth(market.owner, name, ids);
    for (const body of bodies) expect(JSON.stringify(body)).toContain(ids.application);
    expect(JSON.stringify(bodies)).not.toContain(market.draft);
  }
  await expectNoAccess(market.agent, ['shortlist'], ids);
  await expectNoAccess(market.scout, ['application', 'export'], ids);
  expect(await market.dumpRows()).toBe(before);
});

test('no filter, no cursor of another account, and no idempotency key of another account exposes anything', async () => {
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
      const visible = rowsOf(body).filter((row) => mine.has((row as { id: string }).id));
      expect({ path, filter, status, visible }).toEqual({ path, filter, status: 200, visible: [] });
    }
  }
  for (const name of ['One', 'Two', 'Three']) await createShortlist(market.scout, { name });
  const { body } = await market.scout.get('/scouting/shortlists?limit=1');
  const after = await market.third.get(`/scouting/shortlists?limit=1&cursor=${encodeURIComponent(body.page.nextCursor)}`);
  for (const { id } of after.body.data ?? []) expect(id).toBe(market.own.shortlist);
  const key = { 'idempotency-key': 'one-key' };
  const given = { name: secret, externalIds: [{ scheme: 'CRM', value: 'again' }] };
  const [first, second] = [
    await market.scout.post('/scouting/shortlists', given, key),
    await market.third.post('/scouting/shortlists', given, key),
  ];
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, null]);
  expect(second.body.id).not.toBe(first.body.id);
});

test('a third account cannot apply for a hidden athlete, and requests of others are not disclosed', async () => {
  const applied = await market.third.post('/opportunities/applications', {
    opportunityId: ids.opportunity,
    athleteId: ids.athlete,
  });
  expect(applied.body).toMatchObject({ status: 403, code: 'not_owner' });
  expect(applied.body.existingId).toBeUndefined();
  const request = await market.third.post('/scouting/contact-requests', { athleteId: ids.athlete, message: 'May we?' });
  expect(request.status).toBe(201);
  expect((await market.scout.get(`/scouting/contact-requests/${request.body.id}`)).status).toBe(404);
});

test('without a key or the scope, every operation is rejected before any lookup', async () => {
  const other = await market.platform.account({ account: 'Agent', scopes: ['athletes:write'] });
  for (const [reader, status, code] of [
    [market.platform.anonymous, 401, 'api_key_missing'],
    [other, 403, 'insufficient_scope'],
  ] as const)
    for (const [name, operation] of Object.entries(operations)) {
      if (operation.about === 'export') continue;
      const { graph, rest } = await sendBoth(reader, name, ids);
      for (const { body } of rest) expect({ name, body }).toMatchObject({ name, body: { status, code } });
      for (const response of graph)
        expect({ name, body: JSON.stringify(response.body).includes(secret) }).toEqual({ name, body: false });
      // a nested field of a public type names the missing scope, also without a key
      const expected = name.startsWith('Opportunity.') ? 'insufficient_scope' : code;
      expect({ name, codes: new Set(graph.map((response) => response.code)) }).toEqual({ name, codes: new Set([expected]) });
    }
  await expectNoAccess(market.platform.anonymous, ['export'], ids);
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
    'expose nothing to a third account, also when the area %s is queried directly',
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
      const expected = Object.entries(entitiesOf(ids)[name]);
      expect(expected.map(([type]) => type)).toEqual(expect.arrayContaining(answering.map((entity) => entity.name)));
      for (const [type, [id, selected]] of expected) {
        const text = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${type} { ${selected} } } }`;
        const readAs = async (accountId: string) => {
          const viewer: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId, scopes: [...scopes] };
          return JSON.stringify((await area.query(viewer, text, { r: [{ __typename: type, id }] })).data?.['_entities']);
        };
        const [thirds, owners] = await Promise.all(rows.map(({ account }) => readAs(account)));
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

  test('are created by areas only: no client can claim that an application is active', async () => {
    const reference = { __typename: 'Athlete', applicant: ids.athlete, lives: true };
    const forged = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Athlete { displayName } } }';
    const hidden = '{ application(id: "x") { athlete { lives } } }';
    for (const response of [await market.third.graphql(forged, { r: [reference] }), await market.third.graphql(hidden)])
      expect(response.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const hideResponse = await market.agent.patch(`/athletes/${ids.athlete}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    expect(hideResponse.status).toBe(200);
    const aliased = `query ($id: ID!) { application(id: $id) { athlete { lives: __typename applicant: id displayName } } }`;
    const read = async () => (await market.owner.graphql(aliased, { id: ids.application })).body.data.application.athlete;
    expect(await read()).toMatchObject({ lives: 'Athlete', applicant: ids.athlete, displayName: expect.any(String) });
    await applyTransitions(market.owner, ids.application, 'rescind');
    expect(await read()).toBeNull();
  });
});
