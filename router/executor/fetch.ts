/** One request to an area: what it is asked for, and what its answer adds to the data and the errors. */
import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { ResponseNotes } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphResponse, SubgraphClient, SubgraphError } from '../../schema/subgraph-client.ts';
import type { Conditions } from './conditions.ts';
import { merge, objectsAt, placesAt, type Entity, type Path } from './data.ts';
import type { ExecutionRequest } from './executor.ts';
import type { ExecutionError } from './execution-error.ts';
import { compileSelections } from './representations.ts';
import { requestText, type Placed } from './request-text.ts';
import { compileRewrites } from './rewrites.ts';
import type { SubgraphRequest } from './steps.ts';

/** One execution while it runs. */
export interface Run {
  readonly request: ExecutionRequest;
  /** What the fetches have brought so far. */
  data: Entity;
  /** What areas said was wrong, in the client's terms. */
  readonly errors: ExecutionError[];
  readonly notes: ResponseNotes;
  /** Entities that their area does not show to this viewer: a reference to one is null, and no fault. */
  readonly absent: Set<Entity>;
  /** True when one object stands in several places. */
  shares: boolean;
}

export type Fetch = (run: Run) => Promise<void>;

/** The entities of a fetch by their representations, each asked for once. */
interface RequestedEntities {
  readonly representations: Entity[];
  /** For each representation the objects it stands for. */
  readonly owners: Entity[][];
}

/** What is asked of one fetch: its entities, or `null` when there is nothing to ask. */
type Gather = (run: Run) => RequestedEntities | null;

const everything: RequestedEntities = { representations: [], owners: [] };

function compileGather(supergraph: GraphQLSchema, { part }: Placed): Gather {
  const { requires, inputRewrites } = part.fetch;
  if (requires === undefined) return () => everything;
  const read = compileSelections(supergraph, requires);
  const rewrite = compileRewrites(supergraph, inputRewrites);
  return (run) => {
    const indexes = new Map<string, number>();
    const asked: RequestedEntities = { representations: [], owners: [] };
    for (const object of objectsAt(run.data, part.path)) {
      const representation = read(object);
      if (representation === null || !representation['__typename']) continue;
      rewrite?.(representation);
      const key = JSON.stringify(representation);
      const index = indexes.get(key);
      if (index === undefined) {
        indexes.set(key, asked.representations.push(representation) - 1);
        asked.owners.push([object]);
      } else {
        const owners = asked.owners[index] ?? [];
        // an object that two lists share is found twice
        if (owners.at(-1) !== object) owners.push(object);
        run.shares = true;
      }
    }
    return asked.representations.length === 0 ? null : asked;
  };
}

/** A path ends where a list begins: which of its items it is about is not known. */
function beforeItems(path: Path): Path {
  const items = path.indexOf('@');
  return items === -1 ? path : path.slice(0, items);
}

/** The places in the answer that an error of an area is about; none when it says nothing of a place. */
function placesOf(run: Run, { part: { path } }: Placed, asked: RequestedEntities, fault: SubgraphError): readonly Path[] {
  const [, index, ...rest] = fault.path ?? [];
  const owners = typeof index === 'number' ? asked.owners[index] : undefined;
  if (owners === undefined) return [beforeItems(path)];
  const found = placesAt(run.data, path).filter(({ object }) => owners.includes(object));
  return found.map(({ place }) => [...place, ...rest]);
}

const told = ({ message, extensions }: SubgraphError, area: string, path: Path): ExecutionError => ({
  message,
  path,
  extensions: { ...extensions, serviceName: area },
});

/** Compiles the request of some fetches of one area. The promise never rejects: what goes wrong is in the run's errors. */
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
    rewrite: compileRewrites(supergraph, each.part.fetch.outputRewrites),
    usages: each.part.fetch.variableUsages ?? [],
  }));

  function variablesOf(run: Run, asked: readonly (RequestedEntities | null)[]): Record<string, unknown> {
    const variables: Record<string, unknown> = {};
    const given = run.request.variables;
    for (const [index, { part, usages, representations }] of compiled.entries()) {
      for (const usage of usages) {
        const value = given[usage];
        if (value !== undefined) variables[usage] = value;
      }
      if (part.fetch.requires !== undefined) variables[representations] = asked[index]?.representations ?? [];
    }
    return variables;
  }

  /** The area did not answer: an error of each part of the answer that waits for it. */
  function lacking(run: Run, asked: readonly (RequestedEntities | null)[], { message, extensions }: SubgraphError): void {
    for (const [index, { part, keys }] of compiled.entries()) {
      if (asked[index] === null) continue;
      const paths = part.fetch.requires === undefined ? keys.map((key) => [...part.path, key]) : [beforeItems(part.path)];
      for (const path of paths) run.errors.push(told({ message, extensions }, area, path));
    }
  }

  function receive(run: Run, asked: readonly (RequestedEntities | null)[], { data, errors, extensions }: SubgraphResponse): void {
    Object.assign(run.notes, extensions?.notes);
    const failed = errors !== undefined && errors.length > 0;
    if (data !== null && data !== undefined) {
      for (const [index, each] of compiled.entries()) {
        const own = asked[index] ?? null;
        if (own !== null) add(run, each, own, data, failed);
      }
    }
    for (const fault of errors ?? []) {
      const [key] = fault.path ?? [];
      const index = Math.max(
        0,
        compiled.findIndex(({ keys }) => keys.includes(String(key))),
      );
      const [each, own] = [compiled[index], asked[index]];
      if (each === undefined) continue;
      if (each.part.fetch.requires === undefined || !own) {
        run.errors.push(told(fault, area, [...each.part.path, ...(fault.path ?? [])]));
        continue;
      }
      for (const place of placesOf(run, each, own, fault)) run.errors.push(told(fault, area, place));
    }
  }

  function add(
    run: Run,
    { part, keys, rewrite }: (typeof compiled)[number],
    asked: RequestedEntities,
    data: Entity,
    failed: boolean,
  ): void {
    if (part.fetch.requires === undefined) {
      rewrite?.(data);
      if (part.path.length > 0) for (const object of objectsAt(run.data, part.path)) merge(object, data);
      else if (Object.keys(run.data).length === 0) run.data = data;
      else merge(run.data, data);
      return;
    }
    const entities = data[keys[0] ?? ''];
    if (!Array.isArray(entities) || entities.length !== asked.owners.length) {
      if (!failed)
        run.errors.push(
          told({ message: `${area} answered with other entities than it was asked for.` }, area, beforeItems(part.path)),
        );
      return;
    }
    for (const [index, owners] of asked.owners.entries()) {
      const entity = entities[index] as Entity | null;
      if (entity === null) {
        if (!failed) for (const owner of owners) run.absent.add(owner);
        continue;
      }
      if (rewrite !== null) {
        entity['__typename'] ??= owners[0]?.['__typename'];
        rewrite(entity);
      }
      // an area that knows only the interface says so; what is known of the entity is more
      if (!isObjectType(supergraph.getType(String(entity['__typename'])))) Reflect.deleteProperty(entity, '__typename');
      for (const owner of owners) merge(owner, entity);
    }
  }

  return async (run) => {
    const asked = compiled.map(({ gather }) => gather(run));
    if (asked.every((each) => each === null)) return;
    const { viewer, requestId, signal } = run.request;
    try {
      if (client === undefined) throw new Error(`There is no area ${area}.`);
      const variables = variablesOf(run, asked);
      receive(run, asked, await client.query({ query: text, variables, operationName, viewer, requestId, signal }));
    } catch (error) {
      // an area that cannot be reached is an error of its part of the answer, not of the whole
      lacking(run, asked, error instanceof Problem ? error : { message: String(error) });
    }
  };
}
