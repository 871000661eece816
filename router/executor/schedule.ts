/** The requests of a query plan: which fetches of an area are one request, and which requests each one waits for. */
import { OperationTypeNode } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { Plan, PlanNode, PlannedFetch } from '../planner/plan.ts';
import type { Path } from './data.ts';
import { fetchesAnything, operationTypeOf, rootKeysOf } from './request-text.ts';
import { pathOf } from './rewrites.ts';

/** One fetch of the plan, and where its entities are; several paths when the plan has equal fetches. */
export interface FetchPart {
  readonly fetch: PlannedFetch;
  readonly paths: readonly Path[];
}

/** The fetches from one area in one request. */
export interface SubgraphRequest {
  readonly area: string;
  readonly parts: readonly FetchPart[];
}

export interface ScheduledRequest extends SubgraphRequest {
  /** Indexes of the requests that it waits for, all smaller than its own. */
  readonly after: readonly number[];
  /** Length of the longest chain of requests before it. */
  readonly wave: number;
  /** What waits for it: indexes of response parts. None without parts. */
  readonly awaitedBy: ReadonlySet<number>;
}

/** Returns the parts of the response that select something that the fetch returns. */
export type ReadersOf = (part: FetchPart) => readonly number[];

/** A fetch with the fetches whose data it reads. */
interface Link {
  readonly part: FetchPart;
  /** Response keys on the way to the objects that it changes. */
  readonly places: readonly (readonly string[])[];
  readonly dependencies: readonly Link[];
  readonly isMutation: boolean;
  readonly awaitedBy: Set<number>;
  wave: number;
}

/** The response keys of a path. */
export const keysOf = (path: Path): string[] => path.filter((step) => typeof step === 'string').filter((step) => step !== '@');

const isPrefix = (one: readonly string[], other: readonly string[]): boolean => one.every((key, index) => other[index] === key);

/** Whether one of two fetches changes objects that contain those of the other: required fields can be below the objects of a fetch. */
const isRelated = (one: Link['places'], other: Link['places']): boolean =>
  one.some((place) => other.some((each) => isPrefix(place, each) || isPrefix(each, place)));

function placesOf({ fetch, paths }: FetchPart): readonly (readonly string[])[] {
  const places = paths.map(keysOf);
  return fetch.entities === null ? places.flatMap((place) => rootKeysOf(fetch).map((key) => [...place, key])) : places;
}

/** All fetches, each after those it depends on. A plan orders more than necessary; mutations keep the order of the plan. */
function linksOf(node: PlanNode, supergraph: GraphQLSchema, earlier: readonly Link[]): readonly Link[] {
  switch (node.kind) {
    case 'Parallel':
      return node.nodes.flatMap((each) => linksOf(each, supergraph, earlier));
    case 'Sequence':
      return node.nodes.reduce<readonly Link[]>((all, each) => [...all, ...linksOf(each, supergraph, [...earlier, ...all])], []);
    case 'Fetch':
      return fetchesAnything(supergraph, node) ? [linkOf(node, supergraph, earlier)] : [];
  }
}

function linkOf(node: PlannedFetch, supergraph: GraphQLSchema, earlier: readonly Link[]): Link {
  const part: FetchPart = { fetch: node, paths: node.paths.map((path) => pathOf(supergraph, path)) };
  const places = placesOf(part);
  const isMutation = operationTypeOf(node) === OperationTypeNode.MUTATION;
  const dependencies = earlier.filter((each) => isMutation || isRelated(each.places, places));
  const wave = Math.max(-1, ...dependencies.map((each) => each.wave)) + 1;
  return { part, places, dependencies, isMutation, wave, awaitedBy: new Set() };
}

/** A part of the response waits for the fetches that return what it selects, and for all that these depend on. */
function addReaders(links: readonly Link[], readersOf: ReadersOf): void {
  for (const { part, awaitedBy } of links) for (const reader of readersOf(part)) awaitedBy.add(reader);
  for (const { awaitedBy, dependencies } of links.toReversed())
    for (const each of dependencies) for (const reader of awaitedBy) each.awaitedBy.add(reader);
}

/** Fetches that can be one request: all for the first part of the response, and others for the same parts. */
const audienceOf = ({ awaitedBy }: Link): string => (awaitedBy.has(0) ? '0' : [...awaitedBy].toSorted((a, b) => a - b).join());

/** A fetch that no other one waits for joins the last wave with a request to its area: the longest chain does not grow. */
function delayLeaves(links: readonly Link[]): void {
  // moving a read past a mutation would change it; a single mutation comes first
  if (links.filter(({ isMutation }) => isMutation).length > 1) return;
  const awaited = new Set(links.flatMap(({ dependencies }) => dependencies));
  for (const link of links) {
    const { fetch } = link.part;
    if (fetch.entities === null || awaited.has(link)) continue;
    const audience = audienceOf(link);
    const same = links.filter(
      (each) => each.part.fetch.area === fetch.area && each.part.fetch.entities !== null && audienceOf(each) === audience,
    );
    link.wave = Math.max(...same.map(({ wave }) => wave));
  }
}

/** Fetches of the same selection for equal representations become one fetch of several paths. */
function mergeEqual(parts: readonly FetchPart[]): FetchPart[] {
  const byFetch = Map.groupBy(parts, ({ fetch: { text, variables, entities, rewrites } }) =>
    JSON.stringify([text, variables, entities, rewrites]),
  );
  return [...byFetch.values()].flatMap((equal) => {
    const [first] = equal;
    return first === undefined ? [] : [{ fetch: first.fetch, paths: equal.flatMap(({ paths }) => paths) }];
  });
}

/**
 * Requests in the order of their waves. Entity fetches of one area in the same wave are one request, unless parts of the response would
 * wait for more than they select.
 */
export function scheduleOf(
  { node }: Plan,
  supergraph: GraphQLSchema,
  readersOf: ReadersOf = () => [],
): readonly ScheduledRequest[] {
  if (node === null) return [];
  const links = linksOf(node, supergraph, []);
  addReaders(links, readersOf);
  delayLeaves(links);
  const groups = Map.groupBy(
    links.toSorted((one, other) => one.wave - other.wave),
    (link) => {
      const { fetch } = link.part;
      return fetch.entities === null ? fetch : `${link.wave} ${fetch.area} ${audienceOf(link)}`;
    },
  );
  const indexes = new Map([...groups.values()].flatMap((group, index) => group.map((link) => [link, index] as const)));
  return [...groups.values()].map((group): ScheduledRequest => {
    const after = new Set(group.flatMap(({ dependencies }) => dependencies.flatMap((link) => indexes.get(link) ?? [])));
    const [first] = group;
    return {
      area: first?.part.fetch.area ?? '',
      parts: first?.part.fetch.entities === null ? group.map(({ part }) => part) : mergeEqual(group.map(({ part }) => part)),
      after: [...after],
      wave: first?.wave ?? 0,
      awaitedBy: new Set(group.flatMap(({ awaitedBy }) => [...awaitedBy])),
    };
  });
}
