/** The compiled executor: a plan and what the client asked become functions once, and every execution only runs them (docs/executor.md). */
import type { QueryPlan } from '@apollo/query-planner';
import { buildASTSchema, parse } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { compileAsk, type Ask, type Run } from './ask.ts';
import { compileConditions, type Conditions } from './conditions.ts';
import type { Execution, ExecutionRequest, Executor } from './executor.ts';
import { publicFault } from './faults.ts';
import { partlyHidden, passesThrough } from './passthrough.ts';
import { compileProjection, type Project } from './project.ts';
import { stepsOf, type Step } from './steps.ts';

type Compiled = (request: ExecutionRequest) => Promise<Execution>;

export interface CompiledExecutorOptions {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
}

/** Sets of conditions that one operation is kept compiled for: an answer of chosen members has one variable for each. */
const maxSets = 64;

/** Executes plans of this supergraph over the given areas; what a plan is compiled to lives as long as the plan and its operation. */
export function createCompiledExecutor({ supergraphSdl, subgraphs, log }: CompiledExecutorOptions): Executor {
  const supergraph = buildASTSchema(parse(supergraphSdl, { noLocation: true }), { assumeValidSDL: true });
  const hiddenIn = new WeakMap<GraphQLSchema, ReadonlySet<string>>();
  const compiled = new WeakMap<OperationDefinitionNode, WeakMap<QueryPlan, Compiled>>();

  function hiddenOf(schema: GraphQLSchema): ReadonlySet<string> {
    const hidden = hiddenIn.get(schema) ?? partlyHidden(supergraph, schema);
    hiddenIn.set(schema, hidden);
    return hidden;
  }

  function compileStep(step: Step, conditions: Conditions): Ask {
    if (step.kind === 'Request') return compileAsk(supergraph, subgraphs[step.area], step, conditions);
    const all = step.steps.map((each) => compileStep(each, conditions));
    if (step.kind === 'Parallel') return async (run) => void (await Promise.all(all.map((each) => each(run))));
    return async (run) => {
      for (const each of all) await each(run);
    };
  }

  /** For one set of conditions. */
  function compileFor(conditions: Conditions, { plan, document, operation, schema }: ExecutionRequest): Compiled {
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
      return { data, errors: faults.map((fault) => publicFault(fault, log, request.requestId)), notes: run.notes };
    };
  }

  function compile(first: ExecutionRequest): Compiled {
    const conditionsOf = compileConditions(first.document, first.operation);
    const sets = new LRUCache<string, Compiled>({ max: maxSets });
    return (request) => {
      const conditions = conditionsOf(request.variables);
      const key = [...conditions.values()].map(Number).join('');
      const known = sets.get(key) ?? compileFor(conditions, first);
      sets.set(key, known);
      return known(request);
    };
  }

  return {
    async execute(request) {
      const plans = compiled.get(request.operation) ?? new WeakMap<QueryPlan, Compiled>();
      compiled.set(request.operation, plans);
      const known = plans.get(request.plan) ?? compile(request);
      plans.set(request.plan, known);
      return known(request);
    },
  };
}
