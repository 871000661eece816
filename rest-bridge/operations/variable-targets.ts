/** The argument or input field that each variable of an operation is used for: the source of its constraints and description. */
import { getNamedType, isInputObjectType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { ASTNode, GraphQLArgument, GraphQLInputField, GraphQLSchema, OperationDefinitionNode } from 'graphql';

export type VariableTarget = GraphQLArgument | GraphQLInputField;

/** The first use of each variable, by name; a use inside a list literal has no target. */
export function targetsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ReadonlyMap<string, VariableTarget> {
  const targets = new Map<string, VariableTarget>();
  const types = new TypeInfo(schema);
  visit(
    operation,
    visitWithTypeInfo(types, {
      Variable(node, _key, parent) {
        const target = parent && 'kind' in parent ? targetOf(types, parent) : null;
        if (target && !targets.has(node.name.value)) targets.set(node.name.value, target);
      },
    }),
  );
  return targets;
}

function targetOf(types: TypeInfo, parent: ASTNode): VariableTarget | null {
  if (parent.kind === Kind.ARGUMENT) return types.getArgument() ?? null;
  if (parent.kind !== Kind.OBJECT_FIELD) return null;
  const owner = types.getParentInputType();
  const input = owner ? getNamedType(owner) : null;
  return input && isInputObjectType(input) ? (input.getFields()[parent.name.value] ?? null) : null;
}
