/** Expands `@scalars`: a fragment with the directive selects all scalar and enum fields of its type, so that a new field needs no line in it. */
import { getNamedType, isLeafType, isObjectType, isRequiredArgument, Kind } from 'graphql';
import type { DefinitionNode, FieldNode, FragmentDefinitionNode, GraphQLField, GraphQLSchema, SelectionNode } from 'graphql';
import { topFields } from './documents.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const isScalars = ({ name }: { readonly name: { readonly value: string } }): boolean => name.value === 'scalars';

/** Whether a field needs rights. A fragment must name such a field explicitly, because it changes the rights of the route. */
const isProtected = ({ astNode }: GraphQLField<unknown, unknown>): boolean =>
  astNode?.directives?.some(({ name }) => name.value === 'requiresScopes' || name.value === 'authenticated') ?? false;

/** Inserts a field after the selected field that precedes it in the type; before all fields if none does. */
function insertField(own: readonly FieldNode[], name: string, order: readonly string[]): FieldNode[] {
  const before = new Set(order.slice(0, order.indexOf(name)));
  const place = own.findLastIndex((field) => before.has(field.name.value)) + 1;
  return own.toSpliced(place, 0, { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } });
}

/** The fragment with the scalar and enum fields that it does not select yet, in the order of the type. */
function expand(schema: GraphQLSchema, fragment: FragmentDefinitionNode, fragments: Fragments): FragmentDefinitionNode {
  const { selectionSet, typeCondition } = fragment;
  const directives = (fragment.directives ?? []).filter((directive) => !isScalars(directive));
  const type = schema.getType(typeCondition.name.value);
  // validation reports an unknown type
  if (!isObjectType(type)) return { ...fragment, directives };
  const fields = Object.values(type.getFields());
  const order = fields.map(({ name }) => name);
  const selected = new Set(topFields(selectionSet, fragments).map((field) => field.name.value));
  const added = fields.filter(
    (field) =>
      isLeafType(getNamedType(field.type)) &&
      !field.args.some(isRequiredArgument) &&
      !isProtected(field) &&
      !selected.has(field.name),
  );
  const isField = (selection: SelectionNode): selection is FieldNode => selection.kind === Kind.FIELD;
  const own = added.reduce((all, { name }) => insertField(all, name, order), selectionSet.selections.filter(isField));
  const selections = [...selectionSet.selections.filter((selection) => !isField(selection)), ...own];
  return { ...fragment, directives, selectionSet: { ...selectionSet, selections } };
}

/** The definitions with every `@scalars` fragment expanded. */
export function expandScalars(schema: GraphQLSchema, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const fragments = new Map(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  return definitions.map((node) =>
    node.kind === Kind.FRAGMENT_DEFINITION && node.directives?.some(isScalars) ? expand(schema, node, fragments) : node,
  );
}
