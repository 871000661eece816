/** The compiled executor: compiles a plan and the client's operation to functions once; executions only run them (docs/executor.md). */
import type { QueryPlan } from '@apollo/query-planner';
import { buildASTSchema, parse } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { fieldsOf } from '../../schema/document-size.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { compileFetch, type Fetch, type Run } from './fetch.ts';
import { compileConditions, type Conditions, type Variables } from './conditions.ts';
import type { Execution, ExecutionRequest, Executor, PlannedOperation } from './executor.ts';
import { publicError } from './execution-error.ts';
import { partlyHidden, passesThrough } from './passthrough.ts';
import { compileProjection, type Project } from './projection.ts';
import { stepsOf, type Step } from './steps.ts';

type Compiled = (request: ExecutionRequest) => Promise<Execution>;

/** A query plan of an operation, and its compilation parameters. */
interface Planned {
  readonly name: string;
  readonly conditionsOf: (variables: Variables) => Conditions;
  readonly size: number;
}

export interface CompiledExecutorOptions {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
}

/** Total fields in the cache of compiled operations, about 250 bytes each. A request with `fields=` has one condition per field, so there are many variants. */
const maxCachedFields = 100_000;

/** Executes plans of this supergraph over the given areas; compiled operations are cached, and the least recently used are evicted. */
export function createCompiledExecutor({ supergraphSdl, subgraphs, log }: CompiledExecutorOptions): Executor {
  const supergraph = buildASTSchema(parse(supergraphSdl, { noLocation: true }), { assumeValidSDL: true });
  const hiddenIn = new WeakMap<GraphQLSchema, ReadonlySet<string>>();
  const planned = new WeakMap<OperationDefinitionNode, WeakMap<QueryPlan, Planned>>();
  let plans = 0;
  const compiled = new LRUCache<string, Compiled>({ maxSize: maxCachedFields });

  function hiddenOf(schema: GraphQLSchema): ReadonlySet<string> {
    const hidden = hiddenIn.get(schema) ?? partlyHidden(supergraph, schema);
    hiddenIn.set(schema, hidden);
    return hidden;
  }

  function compileStep(step: Step, conditions: Conditions): Fetch {
    if (step.kind === 'Request') return compileFetch(supergraph, subgraphs[step.area], step, conditions);
    const all = step.steps.map((each) => compileStep(each, conditions));
    if (step.kind === 'Parallel') return async (run) => void (await Promise.all(all.map((each) => each(run))));
    return async (run) => {
      for (const each of all) await each(run);
    };
  }

  /** Compiles an operation for one set of conditions. */
  function compileFor(conditions: Conditions, { plan, document, operation, schema }: PlannedOperation): Compiled {
    const step = stepsOf(plan, { supergraph, conditions });
    const fetch = compileStep(step, conditions);
    const selected = { schema, document, operation, conditions };
    const passes = passesThrough(step, selected, hiddenOf(schema));
    let project: Project | undefined;
    return async (request) => {
      const run: Run = { request, data: {}, errors: [], notes: {}, absent: new Set(), hasSharedObjects: false };
      await fetch(run);
      if (passes && run.errors.length === 0) return { data: run.data, errors: [], notes: run.notes };
      project ??= compileProjection(selected);
      const { data, errors } = project({ ...run, variables: request.variables });
      // an error of an area already explains a missing value
      const reported = run.errors.length > 0 ? run.errors : errors;
      return { data, errors: reported.map((error) => publicError(error, log, request.requestId)), notes: run.notes };
    };
  }

  function plannedOf({ operation, plan, document }: PlannedOperation): Planned {
    const ofOperation = planned.get(operation) ?? new WeakMap<QueryPlan, Planned>();
    planned.set(operation, ofOperation);
    const known = ofOperation.get(plan);
    if (known !== undefined) return known;
    const made = { name: String(plans++), conditionsOf: compileConditions(document, operation), size: fieldsOf(document) };
    ofOperation.set(plan, made);
    return made;
  }

  function compiledFor(operation: PlannedOperation, variables: Variables): Compiled {
    const { name, conditionsOf, size } = plannedOf(operation);
    const conditions = conditionsOf(variables);
    const key = conditions.size === 0 ? name : `${name} ${[...conditions.values()].map(Number).join('')}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compileFor(conditions, operation);
    compiled.set(key, made, { size });
    return made;
  }

  return {
    compile: (operation) => void compiledFor(operation, {}),
    async execute(request) {
      return compiledFor(request, request.variables)(request);
    },
  };
}
