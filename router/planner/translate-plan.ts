/** Translates plans of the native planner. Its batches become separate fetches: the executor combines fetches itself. */
import type * as Native from '@graphql-hive/router-query-planner';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { correctInterfaceObjects } from './interface-objects.ts';
import type {
  Plan,
  PlanNode,
  PlannedFetch,
  PlanPath,
  PlanPathStep,
  RequiredEntities,
  RequiredSelection,
  Rewrite,
} from './plan.ts';

/** The variable of the representations in every fetch of entities. */
const representations = 'representations';

const flattenStep = (step: Native.FlattenNodePathSegment): PlanPathStep => {
  if (typeof step === 'string') return step;
  return 'Field' in step ? step.Field : { types: step.TypeCondition };
};

const rewriteStep = (step: Native.FetchNodePathSegment): PlanPathStep =>
  'Key' in step ? step.Key : { types: step.TypenameEquals };

function rewriteOf(rewrite: Native.FetchRewrite): Rewrite {
  if ('KeyRenamer' in rewrite)
    return { kind: 'RenameKey', path: rewrite.KeyRenamer.path.map(rewriteStep), name: rewrite.KeyRenamer.renameKeyTo };
  const setter = 'ValueSetter' in rewrite ? rewrite.ValueSetter : rewrite;
  return { kind: 'SetValue', path: setter.path.map(rewriteStep), value: setter.setValueTo };
}

/** Throws an Error for a required selection with a condition or a fragment name: the planner creates neither. */
function requiredOf(selection: Native.RequiresSelection): RequiredSelection {
  if (selection.kind === 'Field') {
    const { name, alias = name, selections = [] } = selection;
    return { kind: 'Field', key: name, name: alias, selections: selections.length === 0 ? null : selections.map(requiredOf) };
  }
  if (selection.kind === 'FragmentSpread' || selection.skipIf !== undefined || selection.includeIf !== undefined)
    throw new Error('The plan has a required selection that is not supported.');
  return { kind: 'Fragment', type: selection.typeCondition, selections: selection.selections.map(requiredOf) };
}

const entitiesOf = (
  requires: readonly Native.RequiresSelection[],
  inputRewrites: readonly Native.FetchRewrite[] = [],
): RequiredEntities => ({ selections: requires.map(requiredOf), rewrites: inputRewrites.map(rewriteOf) });

function fetchOf(node: Native.FetchNode, path: PlanPath): PlannedFetch {
  const {
    serviceName,
    operation,
    operationName = null,
    variableUsages = [],
    requires,
    inputRewrites,
    outputRewrites = [],
  } = node;
  return {
    kind: 'Fetch',
    area: serviceName,
    text: stripIgnoredCharacters(operation),
    operationName,
    variables: variableUsages,
    entities: requires === undefined ? null : entitiesOf(requires, inputRewrites),
    paths: [path],
    rewrites: outputRewrites.map(rewriteOf),
  };
}

/** Names of the variables and fragments in a part of a document, including those of its fragments. */
function namesIn(root: FieldNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (node: FieldNode | FragmentDefinitionNode): void => {
    visit(node, {
      Variable: ({ name }) => void names.add(`$${name.value}`),
      FragmentSpread({ name }) {
        const fragment = names.has(name.value) ? undefined : fragments.get(name.value);
        names.add(name.value);
        if (fragment !== undefined) collect(fragment);
      },
    });
  };
  collect(root);
  return names;
}

/** The document that selects one root field of a batch, without its alias and with the usual name of the representations. */
function separate(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  { alias, representationsVariableName }: Native.EntityBatchAlias,
): { readonly text: string; readonly names: ReadonlySet<string> } {
  const root = operation.selectionSet.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.alias?.value === alias,
  );
  if (root === undefined) throw new Error(`The plan has no root field ${alias} in its batch.`);
  const names = namesIn(root, fragments);
  const { alias: _, ...withoutAlias } = root;
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        ...operation,
        variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) => names.has(`$${variable.name.value}`)),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [withoutAlias] },
      },
      ...[...fragments.values()].filter(({ name }) => names.has(name.value)),
    ],
  };
  const renamed: DocumentNode = visit(document, {
    Variable: (node) =>
      node.name.value === representationsVariableName
        ? { ...node, name: { kind: Kind.NAME, value: representations } }
        : undefined,
  });
  return { text: stripIgnoredCharacters(print(renamed)), names };
}

function batchOf({ serviceName, operation, variableUsages = [], entityBatch }: Native.BatchFetchNode): readonly PlannedFetch[] {
  const { definitions } = parse(operation, { noLocation: true });
  const query = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (query === undefined) throw new Error(`The plan has an empty fetch from ${serviceName}.`);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  return entityBatch.aliases.map((each): PlannedFetch => {
    const { text, names } = separate(query, fragments, each);
    return {
      kind: 'Fetch',
      area: serviceName,
      text,
      operationName: null,
      variables: variableUsages.filter((name) => names.has(`$${name}`)),
      entities: entitiesOf(each.requires, each.inputRewrites),
      paths: each.paths.map((path) => path.map(flattenStep)),
      rewrites: (each.outputRewrites ?? []).map(rewriteOf),
    };
  });
}

type Correct = (fetch: PlannedFetch) => PlannedFetch;

function nodeOf(node: Native.PlanNode, path: PlanPath, correct: Correct): PlanNode {
  switch (node.kind) {
    case 'Fetch':
      return correct(fetchOf(node, path));
    case 'BatchFetch':
      return { kind: 'Parallel', nodes: batchOf(node).map(correct) };
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map((each) => nodeOf(each, path, correct)) };
    case 'Flatten':
      return nodeOf(node.node, [...path, ...node.path.map(flattenStep)], correct);
    case 'Condition':
    case 'Subscription':
    case 'Defer':
      throw new Error(`The plan has a ${node.kind} node, which is not supported.`);
  }
}

/** Throws an Error for a plan with parts that the executor does not support: nothing is omitted silently. */
export const translatePlan = ({ node }: Native.QueryPlan, supergraph: GraphQLSchema): Plan => ({
  node: node === undefined ? null : nodeOf(node, [], (fetch) => correctInterfaceObjects(fetch, supergraph)),
});
