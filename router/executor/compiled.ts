/** The compiled executor: a plan and what the client asked become functions once, and every execution only runs them (docs/executor.md). */
import type { QueryPlan } from '@apollo/query-planner';
import { buildASTSchema, parse } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Logger } from 'pino';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { compileAsk, type Ask, type Run } from './ask.ts';
import { defaultsOf, holds, type Defaults } from './conditions.ts';
import type { Execution, ExecutionRequest, Executor } from './executor.ts';
import { publicFault, type Raw } from './faults.ts';
import { partlyHidden, passesThrough } from './passthrough.ts';
import { compileProjection, type Project } from './project.ts';
import { stepsOf, type Step } from './steps.ts';

type Compiled = (request: ExecutionRequest) => Promise<Execution>;

export interface CompiledExecutorOptions {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
}

const done = Promise.resolve();

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

  function compileStep(step: Step, defaults: Defaults): Ask {
    switch (step.kind) {
      case 'Request':
        return compileAsk(supergraph, subgraphs[step.area], step.area, step.parts, defaults);
      case 'Condition': {
        const inner = compileStep(step.step, defaults);
        return (run) =>
          step.when.every(({ variable, wanted }) => holds(variable, run.request.variables, defaults) === wanted)
            ? inner(run)
            : done;
      }
      case 'Parallel': {
        const all = step.steps.map((each) => compileStep(each, defaults));
        return async (run) => void (await Promise.all(all.map((each) => each(run))));
      }
      case 'Sequence': {
        const all = step.steps.map((each) => compileStep(each, defaults));
        return async (run) => {
          for (const each of all) await each(run);
        };
      }
    }
  }

  function compile({ plan, document, operation, schema }: ExecutionRequest): Compiled {
    const step = stepsOf(plan);
    const fetch = compileStep(step, defaultsOf(operation));
    const passes = passesThrough(step, { schema, hidden: hiddenOf(schema), document, operation });
    let project: Project | undefined;
    return async (request) => {
      const run: Run = { request, data: {}, errors: [], notes: {}, absent: new Set(), shares: false };
      await fetch(run);
      const faults = (errors: readonly Raw[]) => errors.map((error) => publicFault(error, log, request.requestId));
      if (passes && run.errors.length === 0) return { data: run.data, errors: [], notes: run.notes };
      project ??= compileProjection(schema, document, operation);
      const { data, errors } = project({ ...run, variables: request.variables });
      // what is missing because of a fault that is told already is not told again
      return { data, errors: faults(run.errors.length > 0 ? run.errors : errors), notes: run.notes };
    };
  }

  return {
    execute(request) {
      const plans = compiled.get(request.operation) ?? new WeakMap<QueryPlan, Compiled>();
      compiled.set(request.operation, plans);
      const known = plans.get(request.plan) ?? compile(request);
      plans.set(request.plan, known);
      return known(request);
    },
  };
}
