/** One supergraph with both executors over the same subgraphs: an experiment is planned once and executed twice. */
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import { getOperationAST, getVariableValues, parse, print } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { pino } from 'pino';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import { renameClientNames, fieldSetNames } from '../../router/operations/client-names.ts';
import type { ExecutionRequest } from '../../router/executor/executor.ts';
import { createPlanFunction } from '../../router/planner/plan.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { createGeneratedAreas, type AreaTexts } from './areas.ts';
import { differenceOf, type Difference } from './difference.ts';
import type { Experiment } from './operations.ts';
import { shapeOf } from './order.ts';
import { createReference } from './reference.ts';
import { composed } from './supergraphs/all.ts';

export interface Comparison {
  /** The public schema, which operations are generated from. */
  readonly schema: GraphQLSchema;
  /**
   * Returns null for equal responses and `unplanned` when the stock planner fails. Returns `reference wrong` when the response of the reference
   * has other members than the operation selects, or when the plan contains an invalid subgraph operation (over interface objects: one field
   * with the arguments of two types). Throws Error when our response has other members.
   */
  run(experiment: Experiment): Promise<Difference | 'unplanned' | 'reference wrong' | null>;
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

/** Composes the subgraphs and builds what the experiments share. `reach` wraps the subgraph clients of both executors. */
export function createComparison(
  texts: AreaTexts,
  wrap: (area: SubgraphClient, name: string) => SubgraphClient = (area) => area,
): Comparison {
  const supergraphSdl = composed(texts);
  const schema = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES })
    .apiSchema()
    .toGraphQLJSSchema();
  const plan = createPlanFunction(supergraphSdl);
  const reserved = fieldSetNames(supergraphSdl);
  const generated = createGeneratedAreas(texts);
  const areas = mapped(generated.areas, wrap);
  const subgraphs = { call: areas, json: mapped(areas, overJson) };
  const ours = mapped(subgraphs, (each) => createCompiledExecutor({ supergraphSdl, subgraphs: each, log: silent }));
  const reference = createReference({ supergraphSdl, subgraphs: areas, log: silent });

  /** Prepares an operation like the router, which renames aliases that collide with names of the planner. */
  function planRequest({ text, variables }: Experiment): ExecutionRequest | null {
    const parsed = parse(text, { noLocation: true });
    const renamed = renameClientNames(parsed, operationOf(parsed), reserved);
    const { document, operation } = renamed ?? { document: parsed, operation: operationOf(parsed) };
    const known = planOf(print(document));
    return known === null
      ? null
      : {
          plan: known,
          document,
          operation,
          schema,
          variables: coerced(schema, operation, renamed?.renameVariables(variables) ?? variables),
          viewer: ANONYMOUS,
          requestId: 'differential',
          signal: undefined,
        };
  }

  /** Returns null when the stock planner fails, as it does for some valid operations over interface objects. */
  function planOf(text: string): QueryPlan | null {
    try {
      return plan(text, null);
    } catch {
      return null;
    }
  }

  return {
    schema,
    async run(experiment) {
      const request = planRequest(experiment);
      if (request === null) return 'unplanned';
      const { seed, failureMode, wiring } = experiment;
      generated.startExperiment(seed, failureMode);
      const expected = await reference.execute(request);
      if (generated.hasReceivedInvalid()) return 'reference wrong';
      generated.startExperiment(seed, failureMode);
      const executor = ours[wiring];
      if (executor === undefined) throw new Error(`Unknown wiring ${wiring}.`);
      const response = await executor.execute(request);
      const shape = shapeOf(request, response.data);
      if (!shape.isComplete || !shape.isInOrder)
        return {
          subject: shape.isComplete ? 'the order of members' : 'the selected members',
          ours: response.data,
          reference: expected.data,
        };
      if (!shapeOf(request, expected.data).isComplete) return 'reference wrong';
      return differenceOf(response, expected);
    },
  };
}
