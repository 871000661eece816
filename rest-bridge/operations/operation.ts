/** A REST operation as a value: everything that the bridge, OpenAPI and the router need of an annotated document. */
import { getNullableType, isObjectType, Kind, OperationTypeNode } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { membersOf, partialDocument, responseName, topFields, wholeDocument } from './documents.ts';
import type { Annotated, Member } from './documents.ts';
import { isTool, restOf } from './rest-directive.ts';
import type { Method, Rest } from './rest-directive.ts';
import { bodyKindOf, variablesOf } from './variables.ts';
import type { BodyKind, Variable } from './variables.ts';

/** The kind of response: decides entity tags, paging and the subject of `fields=`. */
export type ResponseKind = 'one' | 'list' | 'batch';

export interface Operation extends Annotated {
  readonly name: string;
  readonly major: number;
  readonly method: Method;
  /** Relative to the major version: `/athletes/{id}`. */
  readonly path: string;
  readonly status: number;
  /** The resource may have been merged into another one; the response is then a redirect (308). */
  readonly redirects: boolean;
  /** The detail of a 404; null for one that names the parameters. */
  readonly notFound: string | null;
  /** Whether assistants can call it over the Model Context Protocol. */
  readonly isTool: boolean;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly body: BodyKind;
  readonly responseKind: ResponseKind;
  readonly root: FieldNode;
  /** Response key of the root field. */
  readonly rootName: string;
  readonly rootType: GraphQLOutputType;
  /** Members of the resource that `fields=` and `include=` can select; empty for writes. */
  readonly members: readonly Member[];
  /** True when the whole representation has a `version`, which starts its entity tag. */
  readonly versioned: boolean;
  /** The executable documents by id: the operation's name, and `<name>.fields` for `fields=`. */
  readonly documents: readonly { readonly id: string; readonly text: () => string }[];
}

type Fail = (rule: string) => Error;

/** The only root field of an operation, and its definition. */
function rootOf(schema: GraphQLSchema, node: OperationDefinitionNode, fail: Fail): [FieldNode, GraphQLField<unknown, unknown>] {
  const [root, ...others] = node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0)
    throw fail('must select exactly one root field; its value is the body of the response');
  const definition = schema.getRootType(node.operation)?.getFields()[root.name.value];
  if (!definition) throw fail('must select a field of the root type');
  return [root, definition];
}

function checkVariables(variables: readonly Variable[], body: BodyKind, { path }: Rest, fail: Fail): void {
  for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) {
    if (!variables.some((variable) => variable.name === parameter && variable.required))
      throw fail(`must declare the path parameter $${String(parameter)} as required`);
  }
  const inBody = variables.filter((variable) => variable.place === 'body');
  if (body !== 'members' && inBody.length > 1)
    throw fail('must not have other body variables in addition to $input, $items or an image');
}

function dataFieldOf(root: FieldNode): FieldNode | undefined {
  return root.selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && responseName(selection) === 'data',
  );
}

/** The members that `fields=` can select; none for a write. */
function selectableMembers(annotated: Annotated, isQuery: boolean, fail: Fail): readonly Member[] {
  const members = membersOf(annotated);
  if (isQuery) return members;
  if (members.some((member) => member.optional)) throw fail('must not have @optional members: it is a write');
  return [];
}

/** Whether a single resource is selected with its `version`. */
function hasVersion(type: GraphQLOutputType, { selectionSet }: FieldNode, fragments: Annotated['fragments']): boolean {
  return (
    isObjectType(getNullableType(type)) && topFields(selectionSet, fragments).some((field) => responseName(field) === 'version')
  );
}

/**
 * Reads one annotated operation that is valid against the schema.
 * Throws an Error that names the operation when it violates a rule of the bridge (docs/architecture.md).
 */
export function readOperation(
  schema: GraphQLSchema,
  major: number,
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Operation {
  const name = node.name?.value ?? '(anonymous)';
  const fail: Fail = (rule) => new Error(`REST operation ${name} ${rule}`);
  const rest = restOf(schema, node);
  if (!rest) throw fail('must declare its route: @rest(method, path)');
  const [root, { type: rootType, description: rootDescription }] = rootOf(schema, node, fail);
  const isQuery = node.operation === OperationTypeNode.QUERY;
  if ((rest.method === 'GET') !== isQuery) throw fail('must be a query for GET and a mutation for other methods');

  const variables = variablesOf(schema, node, rest);
  const body = bodyKindOf(variables);
  checkVariables(variables, body, rest, fail);

  const data = isQuery ? dataFieldOf(root) : undefined;
  const responseKind = body === 'items' ? 'batch' : data ? 'list' : 'one';
  const annotated: Annotated = { operation: node, fragments, resource: responseKind === 'list' && data ? data : root };
  const members = selectableMembers(annotated, isQuery, fail);
  const versioned = responseKind === 'one' && hasVersion(rootType, root, fragments);
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
    isTool: isTool(node),
    description: node.description?.value ?? rootDescription ?? '',
    members,
    documents: [
      { id: name, text: () => wholeDocument(annotated) },
      ...(members.length > 0 ? [{ id: `${name}.fields`, text: () => partialDocument(annotated, versioned) }] : []),
    ],
  };
}
