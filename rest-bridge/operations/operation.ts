/** One REST operation as a value: everything the bridge, OpenAPI and the router need to know of an annotated document. */
import { getNullableType, isNonNullType, Kind, OperationTypeNode, print, typeFromAST, valueFromAST } from 'graphql';
import type {
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLInputType,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  VariableDefinitionNode,
} from 'graphql';
import { isListType, isObjectType } from 'graphql';
import type { Method } from './directives.ts';
import { membersOf, partialDocument, responseName, topFields, wholeDocument } from './documents.ts';
import type { Annotated, Member } from './documents.ts';
import { targetsOf } from './variable-targets.ts';
import type { VariableTarget } from './variable-targets.ts';

/** A variable of the operation, and where a request says it. */
export interface Variable {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  /** Its name in the request: `limit`, `If-Match`, a member of the body. */
  readonly wireName: string;
  readonly type: GraphQLInputType;
  readonly required: boolean;
  /** The value when the request says nothing; undefined leaves the variable out. */
  readonly defaultValue: unknown;
  readonly description: string;
  readonly target: VariableTarget | null;
}

/**
 * What the body is: nothing, the value of `$input`, the wrapped list `$items`, or an object of the variables that
 * are in no other place (a write keeps them out of the query, so that reasons and dates are not logged with URLs).
 */
export type BodyKind = 'none' | 'input' | 'items' | 'members';

/** What the answer is: decides entity tags, paging and what `fields=` is about. */
export type ResponseKind = 'one' | 'list' | 'batch';

export interface Operation extends Annotated {
  readonly name: string;
  readonly major: number;
  readonly method: Method;
  /** Relative to the major: `/athletes/{id}`. */
  readonly path: string;
  readonly status: number;
  /** Whether what the path names may be one with something else by now: the answer is a redirect then. */
  readonly redirects: boolean;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly body: BodyKind;
  readonly responseKind: ResponseKind;
  readonly root: FieldNode;
  /** Name of the root field's value in the data of an execution. */
  readonly rootName: string;
  readonly rootType: GraphQLOutputType;
  /** Members of the resource that `fields=` and `include=` choose from; empty on writes. */
  readonly members: readonly Member[];
  /** True when the whole representation holds a `version`: entity tags begin with it. */
  readonly versioned: boolean;
  /** The executable documents by id: the operation's name, and `<name>.fields` for answers of chosen members. */
  readonly documents: readonly { readonly id: string; readonly text: () => string }[];
}

/** Headers that feed variables, by the variable's name. */
export const headerVariables: Readonly<Record<string, string>> = {
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  idempotencyKey: 'Idempotency-Key',
};

interface Rest {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly redirects: boolean;
}

function restOf(schema: GraphQLSchema, directive: DirectiveNode): Rest {
  const definition = schema.getDirective('rest');
  const value = Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [
      argument.name.value,
      'value' in argument.value ? argument.value.value : print(argument.value),
    ]),
  );
  const fallback = (name: string): unknown => definition?.args.find((argument) => argument.name === name)?.defaultValue;
  return {
    method: (value['method'] ?? fallback('method')) as Method,
    path: String(value['path']),
    status: Number(value['status'] ?? fallback('status')),
    redirects: (value['redirects'] ?? fallback('redirects')) === true,
  };
}

function variableOf(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  rest: Rest,
  targets: ReadonlyMap<string, VariableTarget>,
): Variable {
  const name = node.variable.name.value;
  const type = typeFromAST(schema, node.type) as GraphQLInputType;
  const target = targets.get(name) ?? null;
  const stated = node.defaultValue ? valueFromAST(node.defaultValue, type) : undefined;
  const inherited: unknown =
    stated === undefined && isNonNullType(target?.type) && !isNonNullType(type) ? target.defaultValue : stated;
  const header = headerVariables[name];
  const inPath = rest.path.includes(`{${name}}`);
  const inBody = name === 'input' || name === 'items' || rest.method !== 'GET';
  return {
    name,
    place: inPath ? 'path' : header ? 'header' : inBody ? 'body' : 'query',
    wireName: header ?? name,
    type,
    required: isNonNullType(type) && inherited === undefined,
    defaultValue: inherited,
    description: node.description?.value ?? target?.description ?? '',
    target,
  };
}

function bodyKind(variables: readonly Variable[]): BodyKind {
  const inBody = variables.filter((variable) => variable.place === 'body');
  if (inBody.some((variable) => variable.name === 'items')) return 'items';
  if (inBody.some((variable) => variable.name === 'input')) return 'input';
  return inBody.length > 0 ? 'members' : 'none';
}

/**
 * Reads one annotated operation that is valid against the schema.
 * Throws an Error that names the operation when it breaks a rule of the bridge (docs/architecture.md).
 */
export function readOperation(
  schema: GraphQLSchema,
  major: number,
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Operation {
  const name = node.name?.value ?? '(anonymous)';
  const broken = (rule: string): Error => new Error(`REST operation ${name}: ${rule}`);
  const directive = node.directives?.find((candidate) => candidate.name.value === 'rest');
  if (!directive) throw broken('say where it is served: @rest(method, path)');
  const rest = restOf(schema, directive);
  const [root, ...others] = node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0)
    throw broken('select exactly one root field; its value is the body of the answer');
  const rootType = (node.operation === OperationTypeNode.QUERY ? schema.getQueryType() : schema.getMutationType())?.getFields()[
    root.name.value
  ]?.type;
  if (!rootType) throw broken('the root field has no type');
  if ((rest.method === 'GET') !== (node.operation === OperationTypeNode.QUERY))
    throw broken('a GET is a query, and a query is a GET');

  const targets = targetsOf(schema, node);
  const variables = (node.variableDefinitions ?? []).map((definition) => variableOf(schema, definition, rest, targets));
  for (const [, parameter] of rest.path.matchAll(/\{(\w+)\}/g)) {
    if (!variables.some((variable) => variable.name === parameter && variable.required))
      throw broken(`declare $${String(parameter)} of its path as required`);
  }
  const body = bodyKind(variables);
  if ((body === 'input' || body === 'items') && variables.filter((variable) => variable.place === 'body').length > 1)
    throw broken('$input or $items is the whole body; no other variable can be in it');

  const data = root.selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && responseName(selection) === 'data',
  );
  const responseKind = body === 'items' ? 'batch' : data && node.operation === OperationTypeNode.QUERY ? 'list' : 'one';
  const annotated: Annotated = { operation: node, fragments, resource: responseKind === 'list' && data ? data : root };
  const members = membersOf(annotated);
  const reads = node.operation === OperationTypeNode.QUERY && members.length > 0;
  if (!reads && members.some((member) => member.optional)) throw broken('only reads can have @optional members');
  const bare = getNullableType(rootType);
  const versioned =
    responseKind === 'one' &&
    !isListType(bare) &&
    isObjectType(bare) &&
    topFields(root.selectionSet, fragments).some((field) => responseName(field) === 'version');
  return {
    ...annotated,
    ...rest,
    name,
    major,
    variables,
    body,
    responseKind,
    root,
    rootName: responseName(root),
    rootType,
    versioned,
    description: node.description?.value ?? rootDescription(schema, node, root),
    members: reads ? members : [],
    documents: [
      { id: name, text: () => wholeDocument(annotated) },
      ...(reads ? [{ id: `${name}.fields`, text: () => partialDocument(annotated, versioned) }] : []),
    ],
  };
}

function rootDescription(schema: GraphQLSchema, node: OperationDefinitionNode, root: FieldNode): string {
  const type = node.operation === OperationTypeNode.QUERY ? schema.getQueryType() : schema.getMutationType();
  return type?.getFields()[root.name.value]?.description ?? '';
}
