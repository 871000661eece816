/** The text that the planner receives for a document. */
import { isAbstractType, Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { routerFields, routerTypes } from '../../schema/router-fields.ts';
import { isCondition, isIncluded, type Conditions } from '../operations/conditions.ts';
import { conditionType, fieldType, fragmentsOf, objectTypeNames } from '../operations/document-types.ts';
import { isIncremental } from '../operations/incremental-directives.ts';

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Whether the router answers a field without an area. */
const isAnsweredByRouter = (field: string): boolean => field === '__schema' || field === '__type' || routerFields.has(field);

/**
 * Removes what the planner does not know: introspection, of which it knows a part (`isOneOf`), the router's own fields, and @defer and @stream,
 * whose parts the executor delivers.
 */
function forPlanner(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: ({ name }) => (isAnsweredByRouter(name.value) ? null : undefined),
    Directive: (directive) => (isIncremental(directive) ? null : undefined),
    FragmentDefinition: {
      enter: ({ typeCondition: { name } }) => (name.value.startsWith('__') || routerTypes.has(name.value) ? null : undefined),
    },
    SelectionSet: {
      leave: (set): SelectionSetNode | undefined =>
        set.selections.length === 0 ? { ...set, selections: [typename] } : undefined,
    },
  });
}

/** Stripped of ignored characters, because it is also the key of the shared plan cache. */
export const plannerInput = (document: DocumentNode): string => stripIgnoredCharacters(print(forPlanner(document)));

const isTypename = (selection: SelectionNode): boolean =>
  selection.kind === Kind.FIELD && selection.name.value === '__typename' && selection.alias === undefined;

/** A type with one of these is missing in the schema of some audience (schema/build/print.ts). */
const hidingDirectives = new Set(['inaccessible', 'tag']);

/** Whether an audience may not see some of the types of an interface or a union. */
const isPartlyHidden = (supergraph: GraphQLSchema, type: GraphQLCompositeType): boolean =>
  isAbstractType(type) &&
  supergraph
    .getPossibleTypes(type)
    .some(({ astNode }) => astNode?.directives?.some(({ name }) => hidingDirectives.has(name.value)) === true);

function operationOf({ definitions }: DocumentNode, operationName: string | null): OperationDefinitionNode {
  const operation = definitions.find(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION && (operationName === null || definition.name?.value === operationName),
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation with this name.');
  return operation;
}

/**
 * The operation under its conditions: only included selections, without conditions, because the planner fails for some of them. Objects of
 * interfaces and unions with hidden types always have their `__typename`. Null when nothing is selected.
 */
export function resolveConditions(
  supergraph: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  conditions: Conditions,
): DocumentNode | null {
  const fragments = fragmentsOf(document);
  const resolved = new Map<string, FragmentDefinitionNode | null>();

  function fragment(name: string): FragmentDefinitionNode | null {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const definition = fragments.get(name);
    if (definition === undefined) throw new Error(`The document has no fragment ${name}.`);
    const selectionSet = included(definition.selectionSet, conditionType(supergraph, definition.typeCondition.name.value, root));
    const made = selectionSet === null ? null : { ...definition, selectionSet };
    resolved.set(name, made);
    return made;
  }

  function selection(node: SelectionNode, parent: GraphQLCompositeType): SelectionNode | null {
    if (!isIncluded(node.directives, conditions)) return null;
    const directives = node.directives?.filter((directive) => !isCondition(directive)) ?? [];
    if (node.kind === Kind.FRAGMENT_SPREAD) return fragment(node.name.value) === null ? null : { ...node, directives };
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const type = conditionType(supergraph, node.typeCondition?.name.value, parent);
      const selectionSet = included(node.selectionSet, type);
      return selectionSet === null ? null : { ...node, directives, selectionSet };
    }
    const type = fieldType(parent, node.name.value);
    if (node.selectionSet === undefined || type === null) return { ...node, directives };
    return { ...node, directives, selectionSet: members(node.selectionSet, type) };
  }

  function included({ selections }: SelectionSetNode, type: GraphQLCompositeType): SelectionSetNode | null {
    const left = selections.map((each) => selection(each, type)).filter((each) => each !== null);
    return left.length === 0 ? null : { kind: Kind.SELECTION_SET, selections: left };
  }

  /** Whether a field is selected for objects of some of these types: fragments in fragments may apply to none. */
  function selectsField(selections: readonly SelectionNode[], parent: GraphQLCompositeType, types: ReadonlySet<string>): boolean {
    return selections.some((each) => {
      if (each.kind === Kind.FIELD) return true;
      const body = each.kind === Kind.INLINE_FRAGMENT ? each : fragment(each.name.value);
      if (body === null) return false;
      const type = conditionType(supergraph, body.typeCondition?.name.value, parent);
      const possible = types.intersection(objectTypeNames(supergraph, type));
      return possible.size > 0 && selectsField(body.selectionSet.selections, type, possible);
    });
  }

  /** The selection of a field: an object without selected members is still requested, because its existence is a result. */
  function members(set: SelectionSetNode, type: GraphQLCompositeType): SelectionSetNode {
    const selections = included(set, type)?.selections ?? [];
    const isSelected = selectsField(selections, type, objectTypeNames(supergraph, type));
    const isNeeded = !isSelected || (isPartlyHidden(supergraph, type) && !selections.some(isTypename));
    return { kind: Kind.SELECTION_SET, selections: isNeeded ? [typename, ...selections] : selections };
  }

  const operation = operationOf(document, operationName);
  const root = rootOf(supergraph, operation);
  const selectionSet = included(operation.selectionSet, root);
  if (selectionSet === null) return null;
  const used = [...resolved.values()].filter((each) => each !== null);
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...used] };
}

function rootOf(supergraph: GraphQLSchema, { operation }: OperationDefinitionNode): GraphQLCompositeType {
  const root = supergraph.getRootType(operation);
  if (root === undefined || root === null) throw new Error(`The supergraph does not support ${operation} operations.`);
  return root;
}

/** The text of an operation under its conditions; null when nothing is selected. */
export function resolvedText(
  supergraph: GraphQLSchema,
  text: string,
  operationName: string | null,
  conditions: Conditions,
): string | null {
  const document = resolveConditions(supergraph, parse(text, { noLocation: true }), operationName, conditions);
  return document === null ? null : stripIgnoredCharacters(print(document));
}
