/** One supergraph with both executors over the same subgraphs: the stock plan with the stock executor and ours, and our plan with ours. */
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import { getOperationAST, getVariableValues, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { pino } from 'pino';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import { compileConditions } from '../../router/operations/conditions.ts';
import { supergraphSchema } from '../../router/operations/supergraph-schema.ts';
import { renameClientNames, fieldSetNames } from '../../router/operations/client-names.ts';
import type { Execution, ExecutionRequest } from '../../router/executor/executor.ts';
import { createPlanner } from '../../router/planner/planner.ts';
import type { Plan } from '../../router/planner/plan.ts';
import { plannerInput, resolveConditions } from '../../router/planner/planner-input.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { createApolloPlanFunction, translateApolloPlan } from './apollo-plan.ts';
import { createGeneratedAreas, type AreaTexts } from './areas.ts';
import { conflictOf, differenceOf, type Difference } from './difference.ts';
import type { Experiment } from './operations.ts';
import { mutationsOf, shapeOf, type PreparedRequest } from './order.ts';
import { createReference } from './reference.ts';
import { composed } from './supergraphs/all.ts';

export interface Comparison {
  /** The public schema, which operations are generated from. */
  readonly schema: GraphQLSchema;
  /**
   * Returns null for equal responses and `unplanned` when only the stock planner fails. Returns `reference wrong` when the response of the reference
   * has other members than the operation selects, or when the plan contains an invalid subgraph operation (over interface objects: one field
   * with the arguments of two types). Throws Error when our response has other members.
   */
  run(experiment: Experiment): Promise<Difference | 'unplanned' | 'native planner failed' | 'reference wrong' | null>;
  close(): Promise<void>;
}

/** Collects the messages of errors without a code, which only the log contains. */
const silent = pino({ enabled: false });

/** A subgraph in another process: requests and responses are JSON. */
function overJson(area: SubgraphClient): SubgraphClient {
  const through = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
  return {
    async query({ signal, ...request }) {
      return through(await area.query({ ...through(request), signal }));
    },
  };
}

const mapped = <From, To>(members: Readonly<Record<string, From>>, map: (from: From, name: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member, name)]));

function coerced(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Experiment['variables'],
): Experiment['variables'] {
  const { coerced: values, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...given });
  if (values === undefined) throw new Error(`Invalid variables: ${errors.map(({ message }) => message).join(' ')}`);
  return values;
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document must have exactly one operation.');
  return operation;
}

/** Composes the subgraphs and builds what the experiments share. `wrap` wraps the subgraph clients of both executors. */
export function createComparison(
  texts: AreaTexts,
  wrap: (area: SubgraphClient, name: string) => SubgraphClient = (area) => area,
  isPlannedNatively = true,
): Comparison {
  const supergraphSdl = composed(texts);
  const schema = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES })
    .apiSchema()
    .toGraphQLJSSchema();
  const planner = createPlanner({ supergraphSdl });
  const apolloPlan = createApolloPlanFunction(supergraphSdl);
  const supergraph = supergraphSchema(supergraphSdl);
  const reserved = fieldSetNames(supergraphSdl);
  const generated = createGeneratedAreas(texts);
  const areas = mapped(generated.areas, wrap);
  const subgraphs = { call: areas, json: mapped(areas, overJson) };
  const ours = mapped(subgraphs, (each) =>
    createCompiledExecutor({ supergraphSdl, subgraphs: each, log: silent, generateAfter: 0 }),
  );
  const reference = createReference({ supergraphSdl, subgraphs: areas, log: silent });

  /** Prepares an operation like the router, which renames aliases that collide with names of the planner. */
  function prepare({ text, variables }: Experiment): PreparedRequest {
    const parsed = parse(text, { noLocation: true });
    const renamed = renameClientNames(parsed, operationOf(parsed), reserved);
    const { document, operation } = renamed ?? { document: parsed, operation: operationOf(parsed) };
    const values = coerced(schema, operation, renamed?.renameVariables(variables) ?? variables);
    return {
      document,
      operation,
      schema,
      conditions: compileConditions(document, operation)(values),
      variables: values,
      viewer: ANONYMOUS,
      requestId: 'differential',
      signal: undefined,
    };
  }

  /** Returns null when the stock planner fails, as it does for some valid operations over interface objects. */
  function apolloPlanOf({ document, conditions }: PreparedRequest): QueryPlan | null {
    const resolved = resolveConditions(supergraph, document, null, conditions);
    if (resolved === null) return { kind: 'QueryPlan' };
    try {
      return apolloPlan(parse(plannerInput(resolved)));
    } catch {
      return null;
    }
  }

  /** Returns null when the native planner fails (docs/executor.md lists these operations). */
  const nativePlanOf = ({ document, conditions }: PreparedRequest): Promise<Plan | null> =>
    planner.plan(plannerInput(document), null, conditions).catch(() => null);

  /** Executes a plan with our executor, and compares the response. */
  async function compare(
    { seed, failureMode, wiring }: Experiment,
    request: ExecutionRequest,
    differ: (ours: Execution) => Difference | null,
  ): Promise<Difference | null> {
    generated.startExperiment(seed, failureMode);
    const executor = ours[wiring];
    if (executor === undefined) throw new Error(`Unknown wiring ${wiring}.`);
    const response = await executor.execute(request);
    if (generated.hasReceivedInvalid()) throw new Error('An area received an invalid operation.');
    const shape = shapeOf(request, response.data);
    const of = (subject: string): Difference => ({ subject, ours: response.data, reference: null });
    if (!shape.isComplete) return of('the selected members');
    if (!shape.isInOrder) return of('the order of members');
    return differ(response);
  }

  /** Compares the order of the executed mutations with the specification: the stock planner executes fields before fragments. */
  function orderDifference(request: PreparedRequest): Difference | null {
    const executed = generated.executedMutations();
    const selected = mutationsOf(request);
    // an area that fails executes none of its mutations
    const expected = selected.filter((key) => executed.includes(key));
    return executed.join() === expected.join()
      ? null
      : { subject: 'the order of mutations', ours: executed, reference: selected };
  }

  return {
    schema,
    async run(experiment) {
      const request = prepare(experiment);
      const stock = apolloPlanOf(request);
      const { seed, failureMode } = experiment;
      const plan = isPlannedNatively ? await nativePlanOf(request) : null;
      if (isPlannedNatively && plan === null) return 'native planner failed';
      if (stock === null) return 'unplanned';
      generated.startExperiment(seed, failureMode);
      const samePlan = { ...request, plan: translateApolloPlan(stock) };
      const expected = await reference.execute(samePlan, stock);
      if (generated.hasReceivedInvalid() || !shapeOf(request, expected.data).isComplete) return 'reference wrong';
      // failures depend on the area of a field, and the planners can choose different areas
      const isSamePlace = failureMode === 'none' || failureMode === 'nulls';
      const differ = isSamePlace ? differenceOf : conflictOf;
      const native =
        plan === null
          ? null
          : await compare(experiment, { ...request, plan }, (response) => orderDifference(request) ?? differ(response, expected));
      if (native !== null) return { ...native, subject: `${native.subject}, with the native plan` };
      return await compare(experiment, samePlan, (response) => differenceOf(response, expected));
    },
    close: () => planner.close(),
  };
}
