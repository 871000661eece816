/** One request to an area: the fetches it serves, and what its response adds to the data and the errors. */
import type { GraphQLSchema } from 'graphql';
import type { ResponseNotes } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { unavailableArea } from '../../schema/subgraph-client.ts';
import type { SubgraphResponse, SubgraphClient, SubgraphError } from '../../schema/subgraph-client.ts';
import { beforeItems, placesAt, type Entity, type Path, type ResponsePath } from './data.ts';
import type { ExecutionError } from './execution-error.ts';
import type { ExecutionRequest } from './executor.ts';
import { compileMerge } from './merge-response.ts';
import { observeFetch } from './observed-fetch.ts';
import { requestText, type PlacedFetch } from './request-text.ts';
import { compileGather, type RequestedEntities } from './requested-entities.ts';
import type { SubgraphRequest } from './schedule.ts';

/** One execution in progress. */
export interface Run {
  readonly request: ExecutionRequest;
  /** The data fetched so far. */
  data: Entity;
  /** The errors of areas, with client paths. */
  readonly errors: ExecutionError[];
  readonly notes: ResponseNotes;
  /** Entities that their area does not return for this viewer: a reference to one is null without an error. */
  readonly absent: Set<Entity>;
  /** True when one object is referenced from several places. */
  hasSharedObjects: boolean;
}

export type Fetch = (run: Run) => Promise<void>;

/** The places of the objects at a path; an object can have several. */
type PlacesOf = (path: Path) => ReadonlyMap<Entity, readonly ResponsePath[]>;

/** Searches the data once per path, however many errors a response has. */
function indexPlaces(data: Entity): PlacesOf {
  const known = new Map<Path, ReadonlyMap<Entity, readonly ResponsePath[]>>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const places = new Map<Entity, ResponsePath[]>();
    for (const { object, place } of placesAt(data, path)) {
      const own = places.get(object);
      if (own === undefined) places.set(object, [place]);
      else own.push(place);
    }
    known.set(path, places);
    return places;
  };
}

/** The response paths of an error of an entity fetch; the paths before their first list when the error names no entity. */
function pathsOf(
  placesOf: PlacesOf,
  { part: { paths } }: PlacedFetch,
  { owners }: RequestedEntities,
  error: SubgraphError,
): readonly ResponsePath[] {
  const [, index, ...rest] = error.path ?? [];
  const isKnown = typeof index === 'number' && owners.some((ofPath) => ofPath[index] !== undefined);
  return paths.flatMap((path, at) => {
    if (!isKnown) return [beforeItems(path)];
    const objects = new Set(owners[at]?.[index]);
    return [...objects].flatMap((object) => placesOf(path).get(object) ?? []).map((place) => [...place, ...rest]);
  });
}

/** The places of the objects that receive the root fields of a fetch. */
const rootPlaces = ({ part: { paths } }: PlacedFetch): readonly ResponsePath[] => paths.map(beforeItems);

const errorAt = ({ message, extensions }: SubgraphError, area: string, path: ResponsePath): ExecutionError => ({
  message,
  path,
  extensions: { ...extensions, serviceName: area },
});

/** Compiles one request for several fetches of an area. The promise never rejects: failures are added to the run's errors. */
export function compileFetch(
  supergraph: GraphQLSchema,
  client: SubgraphClient | undefined,
  { area, parts }: SubgraphRequest,
  generateAfter: number,
): Fetch {
  const { text, operationName, placed } = requestText(parts);
  const compiled = placed.map((each) => ({
    ...each,
    gather: compileGather(supergraph, each, generateAfter),
    merge: compileMerge(supergraph, each),
  }));

  function variablesOf(run: Run, requested: readonly (RequestedEntities | null)[]): Record<string, unknown> {
    const variables: Record<string, unknown> = {};
    const given = run.request.variables;
    for (const [
      index,
      {
        part: { fetch },
        representations,
      },
    ] of compiled.entries()) {
      for (const name of fetch.variables) {
        const value = given[name];
        if (value !== undefined) variables[name] = value;
      }
      if (fetch.entities !== null) variables[representations] = requested[index]?.representations ?? [];
    }
    return variables;
  }

  /** One error for each place that depends on a part, or only on one root field of it. */
  function addUnavailable(run: Run, index: number, { message, extensions }: SubgraphError, only?: string): void {
    const [placed] = compiled.slice(index);
    if (placed === undefined) return;
    const places = rootPlaces(placed);
    const affected = only === undefined ? placed.keys : [only];
    const isRoot = placed.part.fetch.entities === null;
    const paths = isRoot ? places.flatMap((place) => affected.map((key) => [...place, key])) : places;
    for (const path of paths) run.errors.push(errorAt({ message, extensions }, area, path));
  }

  /** Root fields that the area neither returned nor explained with an error: without their own error they would silently be null. */
  function addMissing(run: Run, index: number, data: Entity, errors: readonly SubgraphError[]): void {
    for (const key of compiled[index]?.keys ?? []) {
      if (data[key] !== undefined || errors.some(({ path }) => path === undefined || path[0] === key)) continue;
      addUnavailable(run, index, unavailableArea(area), key);
    }
  }

  function addError(run: Run, requested: readonly (RequestedEntities | null)[], error: SubgraphError, placesOf: PlacesOf): void {
    const [key] = error.path ?? [];
    const found = compiled.findIndex(({ keys }) => keys.includes(String(key)));
    const index = Math.max(0, found);
    const [fetch, entities] = [compiled[index], requested[index]];
    if (fetch === undefined) return;
    if (fetch.part.fetch.entities === null || !entities) {
      for (const place of rootPlaces(fetch)) run.errors.push(errorAt(error, area, [...place, ...(error.path ?? [])]));
      return;
    }
    for (const path of pathsOf(placesOf, fetch, entities, error)) run.errors.push(errorAt(error, area, path));
  }

  function addResponse(run: Run, requested: readonly (RequestedEntities | null)[], response: SubgraphResponse): void {
    const { data, errors = [], extensions } = response;
    Object.assign(run.notes, extensions?.notes);
    if (data !== null && data !== undefined) {
      for (const [index, { merge }] of compiled.entries()) {
        const entities = requested[index] ?? null;
        if (entities === null) continue;
        addMissing(run, index, data, errors);
        merge(run, entities, data, errors.length > 0);
      }
    }
    if (errors.length === 0) return;
    const placesOf = indexPlaces(run.data);
    for (const error of errors) addError(run, requested, error, placesOf);
  }

  return async (run) => {
    const requested = compiled.map(({ gather }) => gather(run));
    if (requested.every((entities) => entities === null)) return;
    const { viewer, requestId, signal, deadlineMs, isNested } = run.request;
    try {
      if (client === undefined) throw new Error(`The area ${area} has no client.`);
      const variables = variablesOf(run, requested);
      const request = { query: text, variables, operationName, viewer, requestId, signal, deadlineMs, isNested };
      addResponse(run, requested, await observeFetch(client, area, request));
    } catch (error) {
      // an unavailable area fails its part of the response, not the whole
      const reported = error instanceof Problem ? error : { message: String(error) };
      for (const [index, entities] of requested.entries()) if (entities !== null) addUnavailable(run, index, reported);
    }
  };
}
