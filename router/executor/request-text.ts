/** The text of a request to an area: that of its fetch, or of several fetches of entities in one. */
import { Kind, OperationTypeNode, parse, print, visit } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
  VariableDefinitionNode,
} from 'graphql';
import { stripIgnoredCharacters } from 'graphql';
import { always, anyOf, narrowed, type Conjunction, type Defaults, type Variables } from './conditions.ts';
import type { Part } from './steps.ts';

/** One fetch as it stands in the request. */
export interface Placed {
  readonly part: Part;
  /** Root fields of its answer. */
  readonly keys: readonly string[];
  /** The variable that takes its representations. */
  readonly representations: string;
  /** Whether it would bring anything at all; null when that needs no asking. */
  readonly isWanted: ((variables: Variables) => boolean) | null;
}

export interface RequestText {
  readonly text: string;
  readonly operationName: string | null;
  readonly mutation: boolean;
  readonly placed: readonly Placed[];
}

interface Parsed {
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
}

const representations = 'representations';
const name = (value: string) => ({ kind: Kind.NAME, value }) as const;

function parsed({ fetch }: Part): Parsed {
  const { definitions } = parse(fetch.operation, { noLocation: true });
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error(`The plan asks ${fetch.serviceName} for nothing.`);
  return { operation, fragments: definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION) };
}

const rootsOf = ({ operation }: Parsed): FieldNode[] =>
  operation.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);

/** When the leaves of a selection are asked for; `__typename` is asked for whether or not anybody wants it. */
function leaves(
  set: SelectionSetNode,
  outer: Conjunction,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Conjunction[] {
  return set.selections.flatMap((selection) => {
    const when = narrowed(outer, selection.directives);
    if (when === null) return [];
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value);
      return fragment === undefined ? [] : leaves(fragment.selectionSet, when, fragments);
    }
    if (selection.kind === Kind.INLINE_FRAGMENT || selection.selectionSet !== undefined)
      return leaves(selection.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] }, when, fragments);
    return selection.name.value === '__typename' ? [] : [when];
  });
}

function wantedOf({ operation, fragments }: Parsed, defaults: Defaults): Placed['isWanted'] {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const when = leaves(operation.selectionSet, always, byName);
  return when.length === 0 ? null : anyOf(when, defaults);
}

function alone(part: Part, defaults: Defaults): RequestText {
  const whole = parsed(part);
  const keys = rootsOf(whole).map((root) => (root.alias ?? root.name).value);
  // a mutation is never skipped, and neither is what the root of a query is asked for
  const isWanted = part.fetch.requires === undefined ? null : wantedOf(whole, defaults);
  return {
    text: part.fetch.operation,
    operationName: part.fetch.operationName ?? null,
    mutation: whole.operation.operation === OperationTypeNode.MUTATION,
    placed: [{ part, keys, representations, isWanted }],
  };
}

/** The names of a part in a request of several: its fragments and representations, which others have too. */
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

/** One text for the parts of a request. Parts of several are fetches of entities: queries of the one field `_entities`. */
export function requestText(parts: readonly Part[], defaults: Defaults): RequestText {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return alone(only, defaults);
  const wholes = parts.map(parsed);
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
  const placed = wholes.map((whole, index): Placed => {
    const own = renamed(whole, index, variableOf(index));
    for (const definition of own.operation.variableDefinitions ?? []) definitions.set(definition.variable.name.value, definition);
    roots.push(...rootsOf(own).map((root) => ({ ...root, alias: name(`part${index}`) })));
    fragments.push(...own.fragments);
    const [part] = parts.slice(index);
    if (part === undefined) throw new Error('a part without its fetch');
    return { part, keys: [`part${index}`], representations: variableOf(index), isWanted: wantedOf(whole, defaults) };
  });
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [...definitions.values()],
    selectionSet: { kind: Kind.SELECTION_SET, selections: roots },
  };
  const text = stripIgnoredCharacters(print({ kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }));
  return { text, operationName: null, mutation: false, placed };
}
