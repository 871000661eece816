/** The members that `include=` joins to a resource, and the lists with which each can be synchronized. */
import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { responseName, topFields } from './documents.ts';
import type { Operation } from './operation.ts';

/** Lists with this parameter report what changed since a time. */
const synchronizing = 'updatedSince';

export const isSynchronizable = ({ variables }: Operation): boolean => variables.some(({ name }) => name === synchronizing);

const fieldsOf = (type: GraphQLNamedType): Readonly<Record<string, GraphQLField<unknown, unknown>>> =>
  isObjectType(type) ? (type satisfies GraphQLObjectType).getFields() : {};

/** The type of the resources in a value: a connection contains its nodes. */
function resourceType(type: GraphQLOutputType): GraphQLNamedType {
  const named = getNamedType(type);
  const { nodes } = fieldsOf(named);
  return nodes === undefined ? named : getNamedType(nodes.type);
}

/**
 * For a list that reports changes: its members that join other resources, each with the path of the list that reports their changes, or
 * null without one. A change of a joined resource does not change the resource that it is joined to.
 */
export function joinedMembers(operation: Operation, operations: readonly Operation[]): ReadonlyMap<string, string | null> {
  if (operation.responseKind !== 'list' || !isSynchronizable(operation)) return new Map();
  const lists = operations.filter(
    (each) =>
      each.major === operation.major && each.responseKind === 'list' && !each.path.includes('{') && isSynchronizable(each),
  );
  const pathOf = (type: GraphQLOutputType): string | null =>
    lists.find((list) => resourceType(list.rootType) === resourceType(type))?.path ?? null;
  const optional = new Set(operation.members.filter((member) => member.optional).map(({ name }) => name));
  const known = fieldsOf(resourceType(operation.rootType));
  return new Map(
    topFields(operation.resource.selectionSet, operation.fragments)
      .filter((field) => optional.has(responseName(field)))
      .map((field) => {
        const definition = known[field.name.value];
        return [responseName(field), definition ? pathOf(definition.type) : null];
      }),
  );
}
