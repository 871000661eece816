/** The query that a subscription runs for each update: the client's own selection below another root field. */
import { Kind, OperationTypeNode, parseType, print, separateOperations, visit } from 'graphql';
import type {
  ArgumentNode,
  DocumentNode,
  FieldNode,
  NamedTypeNode,
  OperationDefinitionNode,
  SelectionSetNode,
  VariableDefinitionNode,
} from 'graphql';
import type { TextGraphOperation } from '../graph.ts';
import type { Variables } from './conditions.ts';
import { fragmentBody, fragmentsOf, type Fragments } from './document-types.ts';

export interface QueryField {
  readonly name: string;
  readonly audience: TextGraphOperation['audience'];
  /** Types of its arguments, whose values the router sets. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Field with the items, if the subscription returns the items of a list; null if the root field is the list; absent otherwise. */
  readonly items?: string | null;
}

/** The root fields of subscriptions, and the queries with the same type. */
export const subscriptionQueries = {
  matchUpdated: { name: 'match', audience: 'public', arguments: { id: 'ID!' } },
  standingsUpdated: { name: 'rankings', audience: 'public', arguments: { first: 'Int!', filter: 'RankingFilter!' } },
  opportunityPublished: {
    name: 'opportunities',
    audience: 'public',
    arguments: { first: 'Int!', filter: 'OpportunityFilter' },
    items: 'nodes',
  },
  events: { name: 'eventsByIds', audience: 'internal', arguments: { ids: '[ID!]!' }, items: null },
} as const satisfies Record<string, QueryField>;

export type SubscriptionField = keyof typeof subscriptionQueries;

export interface SubscriptionQuery {
  readonly field: SubscriptionField;
  /** The selection of the root field, for its arguments. */
  readonly node: FieldNode;
  /** The key of the root field in payloads. */
  readonly responseKey: string;
  /** The query. Its text has no operation besides. */
  readonly operation: TextGraphOperation;
  readonly document: DocumentNode;
  /** The variables of the query: those of the client, and the arguments of the root field. */
  variablesOf(variables: Variables, rootArguments: Variables): Variables;
}

const isField = (name: string): name is SubscriptionField => Object.hasOwn(subscriptionQueries, name);

const named = (value: string) => ({ kind: Kind.NAME, value }) as const;

/** The selections of the root field, which has no conditions (subscription-root.ts). */
function rootFields({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.flatMap((selection): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    const body = fragmentBody(selection, fragments);
    return body === undefined ? [] : rootFields(body.selectionSet, fragments);
  });
}

function usedVariables(document: DocumentNode): ReadonlySet<string> {
  const used = new Set<string>();
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  return used;
}

/** A prefix of variable names that the client does not use. */
function freePrefix({ variableDefinitions = [] }: OperationDefinitionNode): string {
  let prefix = 'subscription_';
  while (variableDefinitions.some(({ variable }) => variable.name.value.startsWith(prefix))) prefix += '_';
  return prefix;
}

function queryNode(node: FieldNode, query: QueryField, prefix: string): FieldNode {
  const given = Object.keys(query.arguments).map((name): ArgumentNode => ({
    kind: Kind.ARGUMENT,
    name: named(name),
    value: { kind: Kind.VARIABLE, name: named(prefix + name) },
  }));
  const { selectionSet } = node;
  const isWrapped = typeof query.items === 'string' && selectionSet !== undefined;
  const inner: SelectionSetNode | undefined = isWrapped
    ? { kind: Kind.SELECTION_SET, selections: [{ kind: Kind.FIELD, name: named(query.items), selectionSet }] }
    : selectionSet;
  return {
    ...node,
    alias: node.alias ?? node.name,
    name: named(query.name),
    arguments: given,
    ...(inner && { selectionSet: inner }),
  };
}

function definitionsOf(query: QueryField, prefix: string): VariableDefinitionNode[] {
  return Object.entries(query.arguments).map(([name, type]) => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: named(prefix + name) },
    type: parseType(type),
  }));
}

/** Compiles a subscription of a document that is valid for the public schema, and within the limits of documents. */
export function compileSubscriptionQuery(document: DocumentNode, operation: OperationDefinitionNode): SubscriptionQuery {
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const roots = rootFields(operation.selectionSet, fragmentsOf(own));
  const [node] = roots;
  const field = node?.name.value ?? '';
  if (node === undefined || !isField(field)) throw new Error(`There is no subscription ${field}`);
  const query: QueryField = subscriptionQueries[field];
  const prefix = freePrefix(operation);
  const selections = roots.map((each) => queryNode(each, query, prefix));
  // fragments on the root type are part of `selections`
  const fragments = [...fragmentsOf(own).values()].filter(({ typeCondition }) => !isRoot(typeCondition));
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections };
  const bare: OperationDefinitionNode = { kind: Kind.OPERATION_DEFINITION, operation: OperationTypeNode.QUERY, selectionSet };
  const used = usedVariables({ kind: Kind.DOCUMENT, definitions: [bare, ...fragments] });
  const variableDefinitions = [
    ...(operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)),
    ...definitionsOf(query, prefix),
  ];
  const rewritten: DocumentNode = { kind: Kind.DOCUMENT, definitions: [{ ...bare, variableDefinitions }, ...fragments] };
  const names = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  return {
    field,
    node,
    responseKey: node.alias?.value ?? field,
    operation: { text: print(rewritten), operationName: null, audience: query.audience },
    document: rewritten,
    variablesOf: (variables, rootArguments) => ({
      ...Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name))),
      ...Object.fromEntries(Object.entries(rootArguments).map(([name, value]) => [prefix + name, value])),
    }),
  };
}

const isRoot = ({ name }: NamedTypeNode): boolean => name.value === 'Subscription';
