/** What an operation may cost, from the sizes of its lists: known before it runs, the same for both doors. */
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  DocumentNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';

/** Entities (objects with an id) the operation may return, by the values of its variables. */
export type Estimate = (variables: Readonly<Record<string, unknown>>) => number;

/** A list whose size nobody says is taken to hold so many. */
const unsized = 10;

const atLeastZero = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** They carry the id of something that is not returned. */
const notEntities = new Set(['Tombstone', 'Deleted']);

function isEntity(type: GraphQLCompositeType): boolean {
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return isNonNullType(type.getFields()['id']?.type) && !notEntities.has(type.name);
}

/** Compiles the estimate; `document` is valid against `schema` and within the limits. A variable without a value has its default. */
export function compileEstimate(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Estimate {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue === undefined ? undefined : valueFromASTUntyped(defaultValue),
    ]),
  );

  function sizeOf(value: ValueNode | undefined, fallback: unknown): Estimate {
    if (value === undefined) return () => atLeastZero(fallback);
    if (value.kind === Kind.INT) return () => atLeastZero(Number(value.value));
    if (value.kind !== Kind.VARIABLE) return () => atLeastZero(fallback);
    const name = value.name.value;
    return (variables) => atLeastZero(variables[name] ?? defaults.get(name) ?? fallback);
  }

  /** Whether @skip and @include let the selection in. */
  function isIncluded({ directives }: SelectionNode): ((variables: Readonly<Record<string, unknown>>) => boolean) | null {
    const conditions = directives?.filter(({ name }) => name.value === 'skip' || name.value === 'include') ?? [];
    if (conditions.length === 0) return null;
    return (variables) =>
      conditions.every(({ name, arguments: given }) => {
        const value = given?.[0]?.value;
        const actual =
          value?.kind === Kind.VARIABLE
            ? (variables[value.name.value] ?? defaults.get(value.name.value))
            : value?.kind === Kind.BOOLEAN && value.value;
        return actual === (name.value === 'include');
      });
  }

  function ofSelection(set: SelectionSetNode, parent: GraphQLCompositeType, sized: boolean): Estimate[] {
    return set.selections.flatMap((selection) => {
      const parts = ofOne(selection, parent, sized);
      const included = isIncluded(selection);
      if (included === null) return parts;
      return parts.map(
        (part): Estimate =>
          (variables) =>
            included(variables) ? part(variables) : 0,
      );
    });
  }

  function ofOne(selection: SelectionNode, parent: GraphQLCompositeType, sized: boolean): Estimate[] {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent, sized);
    const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (body === undefined) return [];
    const type = body.typeCondition === undefined ? parent : schema.getType(body.typeCondition.name.value);
    return isCompositeType(type) ? ofSelection(body.selectionSet, type, sized) : [];
  }

  /** `sized`: the parent's own `first` has already said how long the lists within it are (nodes, edges). */
  function ofField(node: FieldNode, parent: GraphQLCompositeType, sized: boolean): Estimate[] {
    const field: GraphQLField<unknown, unknown> | undefined =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    const type = field === undefined ? undefined : getNamedType(field.type);
    if (field === undefined || node.selectionSet === undefined || !isCompositeType(type)) return [];
    const first = field.args.find(({ name }) => name === 'first');
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    const own = isEntity(type) ? 1 : 0;
    const inner = ofSelection(node.selectionSet, type, first !== undefined);
    if (own === 0 && inner.length === 0) return [];
    const sum: Estimate = (variables) => inner.reduce((total, one) => total + one(variables), own);
    if (first !== undefined) {
      const size = sizeOf(given, first.defaultValue);
      return [(variables) => size(variables) * sum(variables)];
    }
    // Lists of values within an entity are part of it; only lists of entities multiply.
    const isUnsizedList = isListType(getNullableType(field.type)) && own === 1 && !sized;
    return isUnsizedList ? [(variables) => unsized * sum(variables)] : [sum];
  }

  const root = schema.getRootType(operation.operation);
  const parts = root === undefined || root === null ? [] : ofSelection(operation.selectionSet, root, false);
  return (variables) => parts.reduce((total, part) => total + part(variables), 0);
}
