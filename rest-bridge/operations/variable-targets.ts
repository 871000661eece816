/** Which argument or input field each variable of an operation feeds: bounds and descriptions come from there. */
import { getNamedType, isInputObjectType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { ASTNode, GraphQLArgument, GraphQLInputField, GraphQLSchema, OperationDefinitionNode } from 'graphql';

export type VariableTarget = GraphQLArgument | GraphQLInputField;

/** The first place each variable is used in, by the variable's name; a use in the middle of a list feeds nothing. */
export function targetsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ReadonlyMap<string, VariableTarget> {
  const feeds = new Map<string, VariableTarget>();
  const types = new TypeInfo(schema);
  visit(
    operation,
    visitWithTypeInfo(types, {
      Variable(node, _key, parent) {
        const feed = feedOf(types, parent as ASTNode);
        if (feed && !feeds.has(node.name.value)) feeds.set(node.name.value, feed);
      },
    }),
  );
  return feeds;
}

function feedOf(types: TypeInfo, parent: ASTNode): VariableTarget | null {
  if (parent.kind === Kind.ARGUMENT) return types.getArgument() ?? null;
  if (parent.kind !== Kind.OBJECT_FIELD) return null;
  const owner = types.getParentInputType();
  const input = owner ? getNamedType(owner) : null;
  return input && isInputObjectType(input) ? (input.getFields()[parent.name.value] ?? null) : null;
}
