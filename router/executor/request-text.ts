/** The text of a request to an area: that of a single fetch, or of several entity fetches combined. */
import { isObjectType, Kind, OperationTypeNode, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  VariableDefinitionNode,
} from 'graphql';
import type { PlannedFetch } from '../planner/plan.ts';
import type { FetchPart } from './schedule.ts';

/** One fetch and its names in the request. */
export interface PlacedFetch {
  readonly part: FetchPart;
  /** Root fields of its response. */
  readonly keys: readonly string[];
  /** The variable with its representations. */
  readonly representations: string;
}

export interface RequestText {
  readonly text: string;
  readonly operationName: string | null;
  readonly placed: readonly PlacedFetch[];
}

interface Parsed {
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
}

const representations = 'representations';
const name = (value: string) => ({ kind: Kind.NAME, value }) as const;

function parsed(fetch: PlannedFetch): Parsed {
  const { definitions } = parse(fetch.text, { noLocation: true });
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error(`The plan has an empty fetch from ${fetch.area}.`);
  return { operation, fragments: definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION) };
}

const rootsOf = ({ operation }: Parsed): FieldNode[] =>
  operation.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);

/** The fields at the top of a selection, with the type condition that applies to each. */
function topFields(
  { selections }: SelectionSetNode,
  whole: Parsed,
  type: string | null = null,
): { readonly field: FieldNode; readonly type: string | null }[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [{ field: selection, type }];
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection
        : whole.fragments.find(({ name }) => name.value === selection.name.value);
    if (fragment === undefined) return [];
    return topFields(fragment.selectionSet, whole, fragment.typeCondition?.name.value ?? type);
  });
}

/**
 * Whether a fetch selects anything but what is known. The types of the roots and of an entity are already known, except when only
 * an interface is (@interfaceObject).
 */
export function fetchesAnything(supergraph: GraphQLSchema, fetch: PlannedFetch): boolean {
  const whole = parsed(fetch);
  if (fetch.entities === null)
    return topFields(whole.operation.selectionSet, whole).some(({ field }) => field.name.value !== '__typename');
  return rootsOf(whole).some(({ selectionSet = { kind: Kind.SELECTION_SET, selections: [] } }) =>
    topFields(selectionSet, whole).some(
      ({ field, type }) => field.name.value !== '__typename' || !isObjectType(supergraph.getType(type ?? '')),
    ),
  );
}

/** The response keys of a fetch. */
export function rootKeysOf(fetch: PlannedFetch): readonly string[] {
  const whole = parsed(fetch);
  return topFields(whole.operation.selectionSet, whole).map(({ field }) => (field.alias ?? field.name).value);
}

export const operationTypeOf = (fetch: PlannedFetch): OperationTypeNode => parsed(fetch).operation.operation;

function singleFetch(part: FetchPart): RequestText {
  const keys = rootKeysOf(part.fetch);
  return {
    text: part.fetch.text,
    operationName: part.fetch.operationName,
    placed: [{ part, keys, representations }],
  };
}

/** Gives a fetch unique names in a combined request: fragments and representations occur in each. */
function renamed({ operation, fragments }: Parsed, index: number, variable: string): Parsed {
  const visitor = {
    Variable: {
      leave: (node: { readonly name: { readonly value: string } }) =>
        node.name.value === representations ? { ...node, name: name(variable) } : undefined,
    },
    FragmentSpread: (node: { readonly name: { readonly value: string } }) => ({
      ...node,
      name: name(`part${index}_${node.name.value}`),
    }),
    FragmentDefinition: { leave: (node: FragmentDefinitionNode) => ({ ...node, name: name(`part${index}_${node.name.value}`) }) },
  };
  return { operation: visit(operation, visitor), fragments: fragments.map((fragment) => visit(fragment, visitor)) };
}

/** One text for the fetches of a request. Combined fetches are queries of `_entities`. */
export function requestText(parts: readonly FetchPart[]): RequestText {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return singleFetch(only);
  const wholes = parts.map(({ fetch }) => parsed(fetch));
  const taken = new Set(
    wholes.flatMap(({ operation }) => (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
  );
  const variableOf = (index: number): string => {
    let variable = `representations${index}`;
    while (taken.has(variable)) variable = `_${variable}`;
    return variable;
  };
  const definitions = new Map<string, VariableDefinitionNode>();
  const roots: FieldNode[] = [];
  const fragments: FragmentDefinitionNode[] = [];
  const placed = wholes.map((whole, index): PlacedFetch => {
    const own = renamed(whole, index, variableOf(index));
    for (const definition of own.operation.variableDefinitions ?? []) definitions.set(definition.variable.name.value, definition);
    roots.push(...rootsOf(own).map((root) => ({ ...root, alias: name(`part${index}`) })));
    fragments.push(...own.fragments);
    const [part] = parts.slice(index);
    if (part === undefined) throw new Error('a fetch is missing in the request');
    return { part, keys: [`part${index}`], representations: variableOf(index) };
  });
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [...definitions.values()],
    selectionSet: { kind: Kind.SELECTION_SET, selections: roots },
  };
  const text = stripIgnoredCharacters(print({ kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }));
  return { text, operationName: null, placed };
}
