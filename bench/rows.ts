/** The comparison: contenders and their processes, the rows of the table, and the targets of the architecture. */
import { openContender, type OpenContender } from './open.ts';
import type { Given, PartName } from './part.ts';
import { cardSelection } from './parts/athletes-sql.ts';

/** One request, the same every time. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The processes of a contender, in start order; requests go to the last one. */
export const contenders = {
  bare: ['bare'],
  equal: ['equal'],
  platform: ['platform'],
  cached: ['caching platform'],
  static: ['static'],
  metered: ['metered platform'],
  sampled: ['sampled platform'],
  traced: ['traced platform'],
  roles: ['athletes', 'organizations', 'router'],
  stock: ['stock athletes', 'stock organizations', 'stock gateway'],
} as const satisfies Record<string, readonly PartName[]>;

export type Contender = keyof typeof contenders;

/** Opens the platform in one process over a database; `resources` closes it. */
export async function openPlatform(
  database: Pick<Given, 'ownerUrl' | 'secret'>,
  resources: AsyncDisposableStack,
): Promise<OpenContender> {
  const platform = await openContender(contenders.platform, { ...database, shop: null });
  resources.defer(platform.close);
  return platform;
}

/** Responses of one kind contain the same athletes in different envelopes. */
export type Kind = 'athletes' | 'athletes with organizations';

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly contender: Contender;
  readonly kind: Kind;
  readonly request: (key: string) => HttpRequest;
  /** Whether it sends the entity tag of its first response and expects 304. */
  readonly revalidates?: true;
}

export interface Target {
  readonly row: string;
  readonly against: string;
  /** Largest ratio of CPU time, row to baseline; or the factor by which the row must be cheaper than the baseline. */
  readonly atMost?: number;
  readonly cheaper?: number;
}

const list = (selection: string): string => `{ athletes(first: 20) { nodes { ${selection} } pageInfo { nextCursor hasMore } } }`;

const get =
  (path: string, keyed: boolean): Row['request'] =>
  (key) => ({ method: 'GET', path, headers: keyed ? { 'x-api-key': key } : {} });

const post =
  (query: string): Row['request'] =>
  (key) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query }),
  });

const oneArea = post(list(cardSelection));
const twoAreas = post(list(`${cardSelection} organization { id name }`));
const rest = '/api/v1/athletes?limit=20';
const joined = '/api/v1/athletes-with-organizations?limit=20';

export const rows: readonly Row[] = [
  { name: 'bare', title: 'bare route: Fastify + pg', contender: 'bare', kind: 'athletes', request: get(rest, false) },
  { name: 'equal', title: 'hand-written equal route', contender: 'equal', kind: 'athletes', request: get(rest, true) },
  { name: 'rest', title: 'our REST list, with a key', contender: 'platform', kind: 'athletes', request: get(rest, true) },
  {
    name: 'rest-anonymous',
    title: 'our REST list, anonymous',
    contender: 'platform',
    kind: 'athletes',
    request: get(rest, false),
  },
  {
    name: 'rest-metrics',
    title: 'our REST list, with metrics',
    contender: 'metered',
    kind: 'athletes',
    request: get(rest, true),
  },
  {
    name: 'rest-sampled',
    title: 'the same, 10 % of the requests traced',
    contender: 'sampled',
    kind: 'athletes',
    request: get(rest, true),
  },
  {
    name: 'rest-traced',
    title: 'the same, all requests traced',
    contender: 'traced',
    kind: 'athletes',
    request: get(rest, true),
  },
  { name: 'static', title: 'static bytes: Fastify alone', contender: 'static', kind: 'athletes', request: get(rest, false) },
  {
    name: 'rest-cached',
    title: 'our REST list from the cache, with a key',
    contender: 'cached',
    kind: 'athletes',
    request: get(rest, true),
  },
  {
    name: 'rest-304',
    title: 'our REST list, revalidated, with a key',
    contender: 'cached',
    kind: 'athletes',
    request: get(rest, true),
    revalidates: true,
  },
  { name: 'graphql-one', title: 'our GraphQL, one area', contender: 'platform', kind: 'athletes', request: oneArea },
  { name: 'stock-one', title: 'stock ApolloGateway, one area', contender: 'stock', kind: 'athletes', request: oneArea },
  {
    name: 'join',
    title: 'hand-written SQL join',
    contender: 'equal',
    kind: 'athletes with organizations',
    request: get(joined, true),
  },
  {
    name: 'graphql-two',
    title: 'our GraphQL, two areas',
    contender: 'platform',
    kind: 'athletes with organizations',
    request: twoAreas,
  },
  {
    name: 'roles-two',
    title: 'our GraphQL, two areas, separate processes',
    contender: 'roles',
    kind: 'athletes with organizations',
    request: twoAreas,
  },
  {
    name: 'stock-two',
    title: 'stock ApolloGateway, two areas',
    contender: 'stock',
    kind: 'athletes with organizations',
    request: twoAreas,
  },
];

/** Ratios to print; those without a bound have no target. */
export const targets: readonly Target[] = [
  { row: 'rest', against: 'equal', atMost: 1.15 },
  { row: 'rest', against: 'bare' },
  { row: 'rest-anonymous', against: 'equal' },
  { row: 'rest-metrics', against: 'rest', atMost: 1.05 },
  { row: 'rest-sampled', against: 'rest', atMost: 1.05 },
  { row: 'rest-traced', against: 'rest' },
  { row: 'rest-cached', against: 'static', atMost: 1.67 },
  { row: 'rest-304', against: 'rest-cached', atMost: 1 },
  { row: 'graphql-one', against: 'equal', atMost: 1.5 },
  { row: 'graphql-one', against: 'stock-one', cheaper: 5 },
  { row: 'graphql-two', against: 'join', atMost: 2.2 },
  { row: 'graphql-two', against: 'stock-two', cheaper: 6 },
  { row: 'roles-two', against: 'join', atMost: 3 },
  { row: 'roles-two', against: 'stock-two', cheaper: 2 },
];
