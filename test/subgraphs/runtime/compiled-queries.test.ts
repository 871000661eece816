/** Compiled queries of areas return what graphql-js returns, for every query of the REST operations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { getNamedType, getNullableType, isEnumType, isListType, parse, type GraphQLInputType } from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { seedDemoData } from '../../../commands/demo/load.ts';
import { createLog } from '../../../platform/log.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import type { Operation } from '../../../rest-bridge/operations/operation.ts';
import { documentsOf } from '../../../rest-bridge/operations/load-operations.ts';
import { createGraph, type RouterGraph } from '../../../router/graph.ts';
import { loadSupergraph } from '../../../router/supergraph.ts';
import { areas, type Area } from '../../../schema/areas.ts';
import { scopes, type Scope } from '../../../schema/scopes.ts';
import type { SubgraphResponse, SubgraphRequest } from '../../../schema/subgraph-client.ts';
import { SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import { openArea } from '../../../wiring/area.ts';
import { areaTypeDefs } from '../../../schema/type-defs.ts';
import { restApi } from '../../../wiring/rest-api.ts';
import type { Subgraph } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { nullArgumentQueries } from './null-arguments.ts';
import { runBoth, isCompiled, comparable } from './run-both.ts';

let clone: ClonedDatabase;
let owner: pg.Client;
let subgraphs: Record<Area, Subgraph>;
let graph: RouterGraph;
/** Some rows of each table with ids. */
const rows = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
/** Compared texts, and whether they were compiled. */
const compared = new Map<string, boolean>();
/** Requests with different responses: the router would turn exceptions into errors. */
const divergent: unknown[] = [];

const viewer: Viewer = {
  kind: 'KEY',
  accountId: '00000000-0000-4000-8000-00000000aaaa',
  keyId: 'key',
  plan: 'free',
  scopes: Object.keys(scopes) as Scope[],
  sport: null,
};

async function readRows(): Promise<void> {
  const tables = await owner.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.columns
     where column_name = 'id' and data_type = 'uuid' and table_schema = any($1)`,
    [areas],
  );
  for (const { schema, name } of tables.rows) {
    const found = await owner.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${schema}.${name} t order by id limit 7`,
    );
    // areas store projections of each other's rows
    if (found.rows.length > 0 && !rows.has(name))
      rows.set(
        name,
        found.rows.map(({ row }) => row),
      );
  }
}

beforeAll(async () => {
  clone = await cloneDatabase();
  const log = createLog({ name: 'test', level: 'silent' });
  const areaUrls = Object.fromEntries(areas.map((area) => [area, clone.urlAs(areaRole(area))])) as Record<Area, string>;
  await seedDemoData({ areaUrls, ownerUrl: clone.ownerUrl, athletes: 300, today: '2026-10-15' });
  owner = new pg.Client({ connectionString: clone.ownerUrl });
  await owner.connect();
  // private data of an account
  for (const name of ['shortlist', 'shortlist_entry', 'scouting_report', 'contact_request', 'saved_search'])
    await owner.query(`update scouting.${name} set account_id = '${viewer.accountId}'`);
  const graphAs = (administrator: Viewer, requestId: string) => graph.internal(administrator, requestId);
  const open = async (area: Area) =>
    [area, await openArea(area, { databaseUrl: areaUrls[area], secrets: clone.secrets, log, graphAs })] as const;
  subgraphs = Object.fromEntries(await Promise.all(areas.map(open))) as Record<Area, Subgraph>;
  const comparing = (area: Area) => ({
    async query(request: SubgraphRequest): Promise<SubgraphResponse> {
      const { compiled, interpreted } = await runBoth(subgraphs[area], request);
      const [ours, theirs] = [comparable(compiled), comparable(interpreted)];
      if (!isDeepStrictEqual(ours, theirs)) divergent.push({ request, ours, theirs });
      compared.set(request.query, isCompiled(compiled) || compared.get(request.query) === true);
      return compiled;
    },
  });
  const clients = Object.fromEntries(areas.map((area) => [area, comparing(area)]));
  graph = createGraph({ ...loadSupergraph(), subgraphs: clients, log });
  graph.register(documentsOf(restApi().operations));
  const system = graph.internal(SYSTEM, 'test');
  for (const { catchUp } of subgraphs.scouting.consumers) while (await catchUp?.(system, () => Promise.resolve(0)));
  await readRows();
});
afterAll(async () => {
  await graph.close();
  await owner.end();
  for (const subgraph of Object.values(subgraphs)) await subgraph.close();
  await clone.drop();
});

const snakeCase = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const values: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 3,
  Float: 1,
  Date: '2026-10-15',
  DateTime: '2026-10-15T00:00:00.000Z',
  String: 'DE',
  Country: 'DE',
  code: 'free',
  externalId: 'DEMO:athlete-1',
};

const unknown = '00000000-0000-4000-8000-00000000bbbb';

/** Returns the items in turn. */
function at<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('no items to choose from');
  return item;
}

const singular = (plural: string): string | undefined =>
  [plural.replace(/ies$/, 'y'), plural.replace(/es$/, ''), plural.replace(/s$/, '')].find((name) => rows.has(name));
const tableOf = (type: string): string => snakeCase(type.replace(/Connection$/, '')).replace(/^athlete_(?=statistics)/, '');

/** A plausible value. `id` is an ID of `owner`, other IDs are those of a row of `shown`. */
function sample(
  owner: string,
  visible: string,
  { name, type }: { readonly name: string; readonly type: GraphQLInputType },
  turn: number,
): unknown {
  const named = getNamedType(type);
  if (name === 'cursor' || name === 'after') return undefined;
  const row = (table: string) => at(rows.get(table) ?? [{}], turn);
  const one = (): unknown => {
    if (isEnumType(named)) return at(named.getValues(), turn).value;
    if (named.name !== 'ID') return values[name] ?? values[named.name];
    if (name === 'id' || name === 'ids') return row(owner)['id'] ?? unknown;
    return row(visible)[snakeCase(name)] ?? row(snakeCase(name.replace(/Ids?$/, '')))['id'] ?? unknown;
  };
  const value = one();
  return isListType(getNullableType(type)) && value !== undefined ? [value] : value;
}

/** The value of an operation's variable: its `id` belongs to the resource its path starts with. */
function sampleOf({ rootType, path }: Operation, variable: Operation['variables'][number], turn: number): unknown {
  const visible = tableOf(String(getNamedType(rootType)));
  const [, plural = ''] = /([a-z-]+)\/\{id\}/.exec(path) ?? [];
  return sample(singular(plural.replaceAll('-', '_')) ?? visible, visible, variable, turn);
}

/** The required variables with different members of the response, with every third optional variable, and with all. */
function trials(operation: Operation): Record<string, unknown>[] {
  const needed = operation.variables.filter(({ required, defaultValue }) => required || defaultValue !== undefined);
  const others = operation.variables.filter((each) => !needed.includes(each));
  return [
    needed,
    needed,
    ...others.flatMap((other, index) => (index % 3 === 0 ? [[...needed, other]] : [])),
    operation.variables,
  ].map((variables, turn) =>
    Object.fromEntries([
      ...variables
        .map((each) => [each.name, each.defaultValue ?? sampleOf(operation, each, turn)] as const)
        .filter(([, value]) => value !== undefined),
      ...operation.members.flatMap(({ name }, index) => [
        [`include_${name}`, (index + turn) % 2 === 0] as const,
        [`field_${name}`, (index + turn) % 3 === 0] as const,
      ]),
    ]),
  );
}
test('every query of a REST operation is compiled and returns what graphql-js returns', async () => {
  const empty: string[] = [];
  for (const operation of restApi().operations.filter(({ method }) => method === 'GET')) {
    let found = false;
    for (const [turn, variables] of trials(operation).entries()) {
      for (const { id } of turn < 2 ? operation.documents : operation.documents.slice(0, 1)) {
        const { data } = await graph.execute({ id }, { variables, viewer, requestId: 'r' });
        found ||= data?.[operation.rootName] != null;
      }
    }
    if (!found) empty.push(operation.name);
  }
  expect(divergent).toEqual([]);
  // not in the demo data: calling keys, closed months, applicants, guardians, decisions, webhooks; the sample of an opponent is no team
  const ofKeys = 'getMe getUsage getUsageStatement getApplication exportAthlete listConsents getConsent listMinorAccess';
  const ofIds = 'getHeadToHead getRegisteredDocument getReport getRequest getTieBreakDecision getIncident';
  expect(empty.join(' ')).toBe(`${ofKeys} ${ofIds} getWebhookEndpoint listWebhookDeliveries getWebhookDelivery`);
  expect([...compared].filter(([, isOnce]) => !isOnce).map(([text]) => text)).toEqual([]);
});

const plain = { operationName: null, viewer, requestId: 'r', signal: undefined };

test.each(areas)('null arguments and members of %s behave like absent ones, in every list and filter', async (area) => {
  const schema = buildSubgraphSchema({ typeDefs: parse(areaTypeDefs(area)) });
  const questions = nullArgumentQueries(
    schema,
    (type) => (input) => sample(tableOf(type), tableOf(type), input, 0),
    (type) => rows.get(tableOf(type))?.[0]?.['id'],
  );
  const different: unknown[] = [];
  let answered = 0;
  for (const { name, query, absent, nulled } of questions) {
    const send = (variables: Readonly<Record<string, unknown>>) =>
      subgraphs[area].query({ ...plain, query, variables, viewer: area === 'accounts' ? SYSTEM : viewer });
    const [first, second] = [await send(absent), await send(nulled)];
    if (first.errors === undefined) answered += 1;
    if (!isDeepStrictEqual(comparable(first), comparable(second)))
      different.push({ name, absent: comparable(first), nulled: comparable(second) });
  }
  expect(different).toEqual([]);
  expect(answered).toBeGreaterThan(questions.length / 2);
});

const someEntities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  __typename ... on Athlete { id displayName externalIds { value } } ... on AthleteStatistics { id athlete { id } } } }`;
const faulty: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['hidden entities among visible ones', someEntities, { representations: 'some' }],
  ['entities without a type', someEntities, { representations: [{ __typename: 'Nothing', id: '1' }] }],
  ['a value of another type', 'query ($n: Int!) { athletes(first: $n) { nodes { id } } }', { n: 'three' }],
  ['a missing value', 'query ($n: Int!) { athletes(first: $n) { nodes { id } } }', {}],
  ['null for a required value', 'query ($n: Int = 3) { athletes(first: $n) { nodes { id } } }', { n: null }],
  ['an invalid date', 'query ($t: DateTime) { athletes(filter: { updatedSince: $t }) { nodes { id } } }', { t: 'now' }],
  ['an unknown member', 'query ($f: AthleteFilter) { athletes(filter: $f) { nodes { id } } }', { f: { nope: 1 } }],
  ['an invalid cursor', '{ athletes(after: "x") { nodes { id } } sports: athletes(first: 1) { nodes { id } } }', {}],
  ['an invalid ID', 'query ($id: ID!) { athlete(id: $id) { id } other: athlete(id: "x") { id } }', { id: 'y' }],
];

test.each(faulty)('an error equals that of graphql-js: %s', async (_, query, given) => {
  const id = (table: string) => rows.get(table)?.[0]?.['id'];
  const variables =
    typeof given['representations'] !== 'string'
      ? given
      : {
          representations: [
            { __typename: 'Athlete', id: 'none' },
            { __typename: 'AthleteStatistics', id: id('statistics') },
            { __typename: 'Athlete', ref: id('athlete') },
          ],
        };
  const { compiled, interpreted } = await runBoth(subgraphs.athletes, { ...plain, query, variables });
  expect(comparable(compiled)).toEqual(comparable(interpreted));
  expect(compiled.errors?.length).toBeGreaterThan(0);
});
