/** The compiled executor: a plan and what the client asked become functions once, and every execution only runs them (docs/executor.md). */
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

/** A plan of an operation, and what it is compiled for. */
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

/** Fields of all that is kept compiled: some 250 bytes each. An answer of chosen members has one condition for each, so sets are many. */
const keptFields = 100_000;

/** Executes plans of this supergraph over the given areas; what is compiled is kept within bounds, the least used of all gives way. */
export function createCompiledExecutor({ supergraphSdl, subgraphs, log }: CompiledExecutorOptions): Executor {
  const supergraph = buildASTSchema(parse(supergraphSdl, { noLocation: true }), { assumeValidSDL: true });
  const hiddenIn = new WeakMap<GraphQLSchema, ReadonlySet<string>>();
  const planned = new WeakMap<OperationDefinitionNode, WeakMap<QueryPlan, Planned>>();
  let plans = 0;
  const compiled = new LRUCache<string, Compiled>({ maxSize: keptFields });

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

  /** For one set of conditions. */
  function compileFor(conditions: Conditions, { plan, document, operation, schema }: PlannedOperation): Compiled {
    const step = stepsOf(plan, { supergraph, conditions });
    const fetch = compileStep(step, conditions);
    const asked = { schema, document, operation, conditions };
    const passes = passesThrough(step, asked, hiddenOf(schema));
    let project: Project | undefined;
    return async (request) => {
      const run: Run = { request, data: {}, errors: [], notes: {}, absent: new Set(), shares: false };
      await fetch(run);
      if (passes && run.errors.length === 0) return { data: run.data, errors: [], notes: run.notes };
      project ??= compileProjection(asked);
      const { data, errors } = project({ ...run, variables: request.variables });
      // what is missing because of a fault that is told already is not told again
      const faults = run.errors.length > 0 ? run.errors : errors;
      return { data, errors: faults.map((fault) => publicError(fault, log, request.requestId)), notes: run.notes };
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

  function compiledFor(asked: PlannedOperation, variables: Variables): Compiled {
    const { name, conditionsOf, size } = plannedOf(asked);
    const conditions = conditionsOf(variables);
    const key = conditions.size === 0 ? name : `${name} ${[...conditions.values()].map(Number).join('')}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = compileFor(conditions, asked);
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
