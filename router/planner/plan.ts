/** Query planning, synchronous, for the worker thread. */
import { operationFromDocument, ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { QueryPlan } from '@apollo/query-planner';
import { parse } from 'graphql';

export type PlanFunction = (document: string, operationName: string | null) => QueryPlan;

/** Builds the query graph once (hundreds of ms for a large supergraph) and plans operations on it; throws GraphQLError. */
export function createPlanFunction(supergraphSdl: string): PlanFunction {
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  const apiSchema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return (document, operationName) => {
    const options = operationName === null ? {} : { operationName };
    // documents are validated against the audience's schema before they reach the planner
    const operation = operationFromDocument(apiSchema, parse(document), { ...options, validate: false });
    return planner.buildQueryPlan(operation);
  };
}
