/** One request to an area: the fetches it serves, and what its response adds to the data and the errors. */
import type { GraphQLSchema } from 'graphql';
import type { ResponseNotes } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphResponse, SubgraphClient, SubgraphError } from '../../schema/subgraph-client.ts';
import type { Conditions } from './conditions.ts';
import { placesAt, type Entity, type Path } from './data.ts';
import type { ExecutionError } from './execution-error.ts';
import type { ExecutionRequest } from './executor.ts';
import { compileMerge } from './merge-response.ts';
import { requestText, type PlacedFetch } from './request-text.ts';
import { compileGather, type RequestedEntities } from './requested-entities.ts';
import type { SubgraphRequest } from './steps.ts';

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

/** The path before its first list: the item that the error concerns is unknown. */
export function beforeItems(path: Path): Path {
  const items = path.indexOf('@');
  return items === -1 ? path : path.slice(0, items);
}

/** The response paths of an error of an entity fetch; the path before its first list when the error names no entity. */
function pathsOf(
  run: Run,
  { planned: { path } }: PlacedFetch,
  requested: RequestedEntities,
  error: SubgraphError,
): readonly Path[] {
  const [, index, ...rest] = error.path ?? [];
  const owners = typeof index === 'number' ? requested.owners[index] : undefined;
  if (owners === undefined) return [beforeItems(path)];
  const found = placesAt(run.data, path).filter(({ object }) => owners.includes(object));
  return found.map(({ place }) => [...place, ...rest]);
}

const errorAt = ({ message, extensions }: SubgraphError, area: string, path: Path): ExecutionError => ({
  message,
  path,
  extensions: { ...extensions, serviceName: area },
});

/** Compiles one request for several fetches of an area. The promise never rejects: failures are added to the run's errors. */
export function compileFetch(
  supergraph: GraphQLSchema,
  client: SubgraphClient | undefined,
  { area, parts }: SubgraphRequest,
  conditions: Conditions,
): Fetch {
  const { text, operationName, placed } = requestText(parts, conditions);
  const compiled = placed.map((each) => ({
    ...each,
    gather: compileGather(supergraph, each),
    merge: compileMerge(supergraph, area, each),
    usages: each.planned.fetch.variableUsages ?? [],
  }));

  function variablesOf(run: Run, requested: readonly (RequestedEntities | null)[]): Record<string, unknown> {
    const variables: Record<string, unknown> = {};
    const given = run.request.variables;
    for (const [index, { planned, usages, representations }] of compiled.entries()) {
      for (const usage of usages) {
        const value = given[usage];
        if (value !== undefined) variables[usage] = value;
      }
      if (planned.fetch.requires !== undefined) variables[representations] = requested[index]?.representations ?? [];
    }
    return variables;
  }

  /** The area did not respond: one error for each place that depends on it. */
  function addUnavailable(run: Run, requested: readonly (RequestedEntities | null)[], error: SubgraphError): void {
    const { message, extensions } = error;
    for (const [index, { planned, keys }] of compiled.entries()) {
      if (requested[index] === null) continue;
      const isRoot = planned.fetch.requires === undefined;
      const paths = isRoot ? keys.map((key) => [...planned.path, key]) : [beforeItems(planned.path)];
      for (const path of paths) run.errors.push(errorAt({ message, extensions }, area, path));
    }
  }

  function addError(run: Run, requested: readonly (RequestedEntities | null)[], error: SubgraphError): void {
    const [key] = error.path ?? [];
    const found = compiled.findIndex(({ keys }) => keys.includes(String(key)));
    const index = Math.max(0, found);
    const [fetch, entities] = [compiled[index], requested[index]];
    if (fetch === undefined) return;
    if (fetch.planned.fetch.requires === undefined || !entities) {
      run.errors.push(errorAt(error, area, [...fetch.planned.path, ...(error.path ?? [])]));
      return;
    }
    for (const path of pathsOf(run, fetch, entities, error)) run.errors.push(errorAt(error, area, path));
  }

  function addResponse(run: Run, requested: readonly (RequestedEntities | null)[], response: SubgraphResponse): void {
    const { data, errors, extensions } = response;
    Object.assign(run.notes, extensions?.notes);
    const hasErrors = errors !== undefined && errors.length > 0;
    if (data !== null && data !== undefined) {
      for (const [index, { merge }] of compiled.entries()) {
        const entities = requested[index] ?? null;
        if (entities !== null) merge(run, entities, data, hasErrors);
      }
    }
    for (const error of errors ?? []) addError(run, requested, error);
  }

  return async (run) => {
    const requested = compiled.map(({ gather }) => gather(run));
    if (requested.every((entities) => entities === null)) return;
    const { viewer, requestId, signal } = run.request;
    try {
      if (client === undefined) throw new Error(`The area ${area} has no client.`);
      const variables = variablesOf(run, requested);
      addResponse(run, requested, await client.query({ query: text, variables, operationName, viewer, requestId, signal }));
    } catch (error) {
      // an unavailable area fails its part of the response, not the whole
      addUnavailable(run, requested, error instanceof Problem ? error : { message: String(error) });
    }
  };
}
