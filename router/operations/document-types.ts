/** Fragments of a document, and the composite types that its selections apply to. */
import { getNamedType, isAbstractType, isCompositeType, isInterfaceType, isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  InlineFragmentNode,
  SelectionNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** The inline fragment itself, or the definition of a spread; undefined for an unknown fragment. */
export function fragmentBody(
  selection: Exclude<SelectionNode, FieldNode>,
  fragments: Fragments,
): InlineFragmentNode | FragmentDefinitionNode | undefined {
  return selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
}

/** The definition of a field; undefined for meta fields, and on unions. */
export function fieldDefinition(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** The composite type of a field's value; null for leaves. */
export function fieldType(parent: GraphQLCompositeType, name: string): GraphQLCompositeType | null {
  const definition = fieldDefinition(parent, name);
  const type = definition === undefined ? null : getNamedType(definition.type);
  return isCompositeType(type) ? type : null;
}

/** The type that a fragment's condition selects; the parent without a condition. */
export function conditionType(
  schema: GraphQLSchema,
  condition: string | undefined,
  parent: GraphQLCompositeType,
): GraphQLCompositeType {
  const type = condition === undefined ? parent : schema.getType(condition);
  return isCompositeType(type) ? type : parent;
}

/** The names of the object types that a value of a composite type can have. */
export function objectTypeNames(schema: GraphQLSchema, type: GraphQLCompositeType): ReadonlySet<string> {
  return new Set(isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name]);
}
