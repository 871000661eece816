/** Plans of the stock planner: for the reference executor, and translated for ours, so that both run the same plan. */
import { operationFromDocument, ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type * as Apollo from '@apollo/query-planner';
import { stripIgnoredCharacters } from 'graphql';
import type { DocumentNode } from 'graphql';
import type { Plan, PlanNode, PlanPath, PlanPathStep, RequiredSelection, Rewrite } from '../../router/planner/plan.ts';

export type ApolloPlanFunction = (document: DocumentNode) => Apollo.QueryPlan;

/** Builds the query graph once (hundreds of ms for a large supergraph); the function throws GraphQLError. */
export function createApolloPlanFunction(supergraphSdl: string): ApolloPlanFunction {
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  const apiSchema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return (document) => planner.buildQueryPlan(operationFromDocument(apiSchema, document, { validate: false }));
}

const fragmentPrefix = '... on ';

const stepOf = (step: string): PlanPathStep =>
  step.startsWith(fragmentPrefix) ? { types: [step.slice(fragmentPrefix.length)] } : step;

const rewriteOf = (rewrite: Apollo.FetchDataRewrite): Rewrite =>
  rewrite.kind === 'ValueSetter'
    ? { kind: 'SetValue', path: rewrite.path.map(stepOf), value: rewrite.setValueTo }
    : { kind: 'RenameKey', path: rewrite.path.map(stepOf), name: rewrite.renameKeyTo };

function requiredOf(selection: Apollo.QueryPlanSelectionNode): RequiredSelection[] {
  if (selection.kind === 'InlineFragment')
    return selection.typeCondition === undefined
      ? []
      : [{ kind: 'Fragment', type: selection.typeCondition, selections: selection.selections.flatMap(requiredOf) }];
  const { name, alias = name, selections } = selection;
  return [{ kind: 'Field', key: alias, name: alias, selections: selections?.flatMap(requiredOf) ?? null }];
}

function fetchOf(node: Apollo.FetchNode, path: PlanPath): PlanNode {
  const { requires, inputRewrites = [], outputRewrites = [], operationName = null, variableUsages = [] } = node;
  return {
    kind: 'Fetch',
    area: node.serviceName,
    text: stripIgnoredCharacters(node.operation),
    operationName,
    variables: variableUsages,
    entities:
      requires === undefined ? null : { selections: requires.flatMap(requiredOf), rewrites: inputRewrites.map(rewriteOf) },
    paths: [path],
    rewrites: outputRewrites.map(rewriteOf),
  };
}

function nodeOf(node: Apollo.PlanNode | undefined, path: PlanPath): PlanNode | null {
  switch (node?.kind) {
    case undefined:
      return null;
    case 'Fetch':
      return fetchOf(node, path);
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.flatMap((each) => nodeOf(each, path) ?? []) };
    case 'Flatten':
      return nodeOf(node.node, [...path, ...node.path.map(String)]);
    case 'Condition':
    case 'Defer':
      throw new Error(`The stock plan has a ${node.kind} node.`);
  }
}

/** The plan in our format. */
export function translateApolloPlan({ node }: Apollo.QueryPlan): Plan {
  if (node?.kind === 'Subscription') throw new Error('The stock plan is a subscription.');
  return { node: nodeOf(node, []) };
}
