/** The variables of a REST operation, and where a request sends each. */
import { getNamedType, isNonNullType, isInputType, typeFromAST, valueFromAST } from 'graphql';
import type { GraphQLInputType, GraphQLSchema, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import type { Rest } from './rest-directive.ts';
import { targetsOf } from './variable-targets.ts';
import type { VariableTarget } from './variable-targets.ts';

export interface Variable {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  /** Its name in the request: `limit`, `If-Match`, a member of the body. */
  readonly wireName: string;
  readonly type: GraphQLInputType;
  readonly required: boolean;
  /** The value when the request omits it; undefined omits the variable. */
  readonly defaultValue: unknown;
  readonly description: string;
  readonly target: VariableTarget | null;
}

/**
 * The body: none, the value of `$input`, the list `$items` in an object, an image, or an object of all variables without another place
 * (writes keep them out of the query string, so that reasons and dates are not logged with URLs).
 */
export type BodyKind = 'none' | 'input' | 'items' | 'image' | 'members';

/** Variables that are sent as headers. */
const headerVariables: Readonly<Record<string, string>> = {
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  idempotencyKey: 'Idempotency-Key',
};

function placeOf(name: string, { method, path }: Rest): Variable['place'] {
  if (path.includes(`{${name}}`)) return 'path';
  if (headerVariables[name] !== undefined) return 'header';
  return name === 'input' || name === 'items' || method !== 'GET' ? 'body' : 'query';
}

function variableOf(type: GraphQLInputType, node: VariableDefinitionNode, rest: Rest, target: VariableTarget | null): Variable {
  const name = node.variable.name.value;
  const declared = node.defaultValue ? valueFromAST(node.defaultValue, type) : undefined;
  // a nullable variable for a non-null argument relies on the default of the argument
  const inherits = declared === undefined && isNonNullType(target?.type) && !isNonNullType(type);
  const defaultValue: unknown = inherits ? target.defaultValue : declared;
  return {
    name,
    place: placeOf(name, rest),
    wireName: headerVariables[name] ?? name,
    type,
    required: isNonNullType(type) && defaultValue === undefined,
    defaultValue,
    description: node.description?.value ?? target?.description ?? '',
    target,
  };
}

/** The variables of an operation that is valid against the schema. */
export function variablesOf(schema: GraphQLSchema, node: OperationDefinitionNode, rest: Rest): Variable[] {
  const targets = targetsOf(schema, node);
  return (node.variableDefinitions ?? []).flatMap((definition) => {
    const type = typeFromAST(schema, definition.type);
    return isInputType(type) ? [variableOf(type, definition, rest, targets.get(definition.variable.name.value) ?? null)] : [];
  });
}

export function bodyKindOf(variables: readonly Variable[]): BodyKind {
  const inBody = variables.filter((variable) => variable.place === 'body');
  if (inBody.some((variable) => variable.name === 'items')) return 'items';
  if (inBody.some((variable) => variable.name === 'input')) return 'input';
  if (inBody.some((variable) => getNamedType(variable.type).name === 'ImageFile')) return 'image';
  return inBody.length > 0 ? 'members' : 'none';
}
