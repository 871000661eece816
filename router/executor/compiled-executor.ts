/** The compiled executor: compiles a plan and the client's operation to functions once; executions only run them (docs/executor.md). */
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { fieldsOf } from '../../schema/document-size.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { supergraphSchema } from '../operations/supergraph-schema.ts';
import type { Plan } from '../planner/plan.ts';
import { mayGenerateCode } from '../../platform/code-generation.ts';
import { compileFetch, type Fetch, type Run } from './fetch.ts';
import { compileIncremental } from './incremental-execution.ts';
import type { Execution, ExecutionRequest, Executor, PlannedOperation } from './executor.ts';
import { publicError } from './execution-error.ts';
import { partlyHidden, passesThrough } from './passthrough.ts';
import { generateProjection, type FastProject } from './generated-projection.ts';
import { compileProjection, type Project, type SelectedOperation } from './projection.ts';
import { scheduleOf, type ScheduledRequest } from './schedule.ts';

type Compiled = (request: ExecutionRequest) => Promise<Execution>;

/** The key of a compiled operation in the cache, and its size. */
interface Entry {
  readonly name: string;
  readonly size: number;
}

export interface CompiledExecutorOptions {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
  /** Executions of an operation before code is generated for it, where that is allowed; default 2. */
  readonly generateAfter?: number;
}

/** Total fields in the cache of compiled operations, about 250 bytes each. A request with `fields=` has one condition per field, so there are many variants. */
const maxCachedFields = 100_000;

/** Executes plans of this supergraph over the given areas; compiled operations are cached, and the least recently used are evicted. */
export function createCompiledExecutor({ supergraphSdl, subgraphs, log, generateAfter = 2 }: CompiledExecutorOptions): Executor {
  const supergraph = supergraphSchema(supergraphSdl);
  const hiddenIn = new WeakMap<GraphQLSchema, ReadonlySet<string>>();
  const entries = new WeakMap<OperationDefinitionNode, WeakMap<Plan, Entry>>();
  let plans = 0;
  const compiled = new LRUCache<string, Compiled>({ maxSize: maxCachedFields });

  function hiddenOf(schema: GraphQLSchema): ReadonlySet<string> {
    const hidden = hiddenIn.get(schema) ?? partlyHidden(supergraph, schema);
    hiddenIn.set(schema, hidden);
    return hidden;
  }

  const compileRequest = (request: ScheduledRequest): Fetch =>
    compileFetch(supergraph, subgraphs[request.area], request, generateAfter);

  /** Each request starts when those that it waits for have responded. */
  function compileRequests(requests: readonly ScheduledRequest[]): Fetch {
    const fetches = requests.map((request) => ({ after: request.after, fetch: compileRequest(request) }));
    const [only] = fetches;
    if (only !== undefined && fetches.length === 1) return only.fetch;
    return async (run) => {
      const started: Promise<void>[] = [];
      for (const { after, fetch } of fetches) {
        const awaited = after.flatMap((index) => started[index] ?? []);
        started.push(awaited.length === 0 ? fetch(run) : Promise.all(awaited).then(() => fetch(run)));
      }
      await Promise.all(started);
    };
  }

  /** Completes without generated code at first: an operation may never come again. */
  function projectionOf(selected: SelectedOperation): (run: Run) => ReturnType<Project> {
    let project: Project | undefined;
    let fast: FastProject | null = null;
    let left = mayGenerateCode ? generateAfter : -1;
    return (run) => {
      if (left === 0) fast = generateProjection(selected);
      if (left >= 0) left -= 1;
      const data = fast === null ? null : fast(run.data, run.hasSharedObjects);
      if (data !== null) return { data, errors: [] };
      project ??= compileProjection(selected);
      return project({ ...run, variables: run.request.variables });
    };
  }

  function compile({ plan, document, operation, schema, conditions }: PlannedOperation): Compiled {
    const requests = scheduleOf(plan, supergraph);
    const areas = [...new Set(requests.map(({ area }) => area))];
    const fetch = compileRequests(requests);
    const selected = { schema, document, operation, conditions };
    const passes = passesThrough(requests, selected, hiddenOf(schema));
    const project = projectionOf(selected);
    return async (request) => {
      const run: Run = { request, data: { ...request.data }, errors: [], notes: {}, absent: new Set(), hasSharedObjects: false };
      await fetch(run);
      if (passes && run.errors.length === 0) return { data: run.data, errors: [], notes: run.notes, areas };
      const { data, errors } = project(run);
      // an error of an area already explains a missing value
      const reported = run.errors.length > 0 ? run.errors : errors;
      return { data, errors: reported.map((error) => publicError(error, log, request.requestId)), notes: run.notes, areas };
    };
  }

  function entryOf({ operation, plan, document }: PlannedOperation): Entry {
    const ofOperation = entries.get(operation) ?? new WeakMap<Plan, Entry>();
    entries.set(operation, ofOperation);
    const known = ofOperation.get(plan);
    if (known !== undefined) return known;
    const made = { name: String(plans++), size: fieldsOf(document) };
    ofOperation.set(plan, made);
    return made;
  }

  function compiledFor(operation: PlannedOperation): Compiled {
    const { name, size } = entryOf(operation);
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const made = compile(operation);
    compiled.set(name, made, { size });
    return made;
  }

  function incrementalFor(request: ExecutionRequest, activeDirectives: string): Compiled {
    const { name, size } = entryOf(request);
    const key = `${name} ${activeDirectives}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compileIncremental({ supergraph, log, compileRequest, compileWhole: projectionOf }, request);
    // a streamed list is compiled twice
    compiled.set(key, made, { size: size * 2 });
    return made;
  }

  return {
    compile: (operation) => void compiledFor(operation),
    async execute(request) {
      const { activeDirectives } = request;
      return activeDirectives === undefined ? compiledFor(request)(request) : incrementalFor(request, activeDirectives)(request);
    },
  };
}
