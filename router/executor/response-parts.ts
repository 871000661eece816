/** The parts of a response with @defer and @stream: what each one selects, and where it is in the part before it. */
import { getNamedType, isAbstractType, isCompositeType, isListType, isNonNullType, Kind } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { isIncluded, type Conditions, type Variables } from '../operations/conditions.ts';
import { conditionType, fieldDefinition, fragmentBody, fragmentsOf, objectTypeNames } from '../operations/document-types.ts';
import type { Fragments } from '../operations/document-types.ts';
import { activeDefer, activeStream, type ActiveStream } from '../operations/incremental-directives.ts';
import type { Path } from './data.ts';

/** A part: the first one, that of a fragment with @defer, or that of the later items of a list with @stream. */
export interface ResponsePart {
  readonly kind: 'FIRST' | 'DEFER' | 'STREAM';
  /** Index in the list of all parts, in which a part is after the one around it. */
  readonly index: number;
  readonly label: string | null;
  /** Response keys and types from the root of the part around it; a list on the way stands for each of its items. */
  readonly position: Path;
  /** The type of the objects, or of the items. */
  readonly type: GraphQLOutputType;
  /** What the part selects, without the parts within it. */
  readonly selectionSet: SelectionSetNode;
  /** The parts within it. */
  readonly children: readonly ResponsePart[];
  /** Response paths of all that it selects, from the root of the response, without indexes; see `placeOf`. */
  readonly places: ReadonlySet<string>;
}

export interface ResponseParts {
  /** The first one and all others. */
  readonly all: readonly ResponsePart[];
  /** The streamed fields in the selections of the parts. */
  readonly streams: ReadonlyMap<FieldNode, ActiveStream>;
}

/** A response path without indexes as a text. */
export const placeOf = (keys: readonly string[]): string => keys.join('.');

interface Draft extends ResponsePart {
  selectionSet: SelectionSetNode;
  readonly children: Draft[];
  readonly places: Set<string>;
}

/** The position of a selection: in the response, and in its part. */
interface Position {
  readonly part: Draft;
  readonly keys: readonly string[];
  readonly path: Path;
  /** The names of the types that the object can have. */
  readonly types: ReadonlySet<string>;
}

const isIntrospection = ({ name }: FieldNode): boolean => name.value === '__schema' || name.value === '__type';

const withSelection = (field: FieldNode, selectionSet: SelectionSetNode | undefined): FieldNode =>
  selectionSet === undefined ? field : { ...field, selectionSet };

/**
 * Whether one field alone selects a place. Clients merge the lists of parts item by item, and cut them to the length of the last one: only
 * such lists are streamed.
 */
function createOnlySelections(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  conditions: Conditions,
): (place: string) => boolean {
  const times = new Map<string, number>();
  function count({ selections }: SelectionSetNode, keys: readonly string[]): void {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        const within = [...keys, (selection.alias ?? selection.name).value];
        times.set(placeOf(within), (times.get(placeOf(within)) ?? 0) + 1);
        if (selection.selectionSet !== undefined && !isIntrospection(selection)) count(selection.selectionSet, within);
      } else {
        const body = fragmentBody(selection, fragments);
        if (body !== undefined) count(body.selectionSet, keys);
      }
    }
  }
  count(operation.selectionSet, []);
  return (place) => times.get(place) === 1;
}

export interface SplitOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly conditions: Conditions;
  readonly variables: Variables;
}

/** Splits an operation. Its selections have no conditions and no fragment spreads afterwards, except within introspection. */
export function splitOperation({ schema, document, operation, conditions, variables }: SplitOperation): ResponseParts {
  const fragments = fragmentsOf(document);
  const all: Draft[] = [];
  const streams = new Map<FieldNode, ActiveStream>();
  const isOnlySelection = createOnlySelections(operation, fragments, conditions);

  function addPart(part: Pick<Draft, 'kind' | 'label' | 'position' | 'type'>): Draft {
    const draft: Draft = {
      ...part,
      index: all.length,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
      children: [],
      places: new Set(),
    };
    all.push(draft);
    return draft;
  }

  /** The selections that belong to the part; adds the parts within. */
  function split(set: SelectionSetNode, type: GraphQLCompositeType, position: Position): SelectionSetNode {
    // the objects of an abstract type are distinguished by their type names
    if (isAbstractType(type)) position.part.places.add(placeOf([...position.keys, '__typename']));
    const selections = set.selections
      .filter(({ directives }) => isIncluded(directives, conditions))
      .map((selection) =>
        selection.kind === Kind.FIELD ? splitField(selection, type, position) : splitFragment(selection, type, position),
      )
      .filter((selection) => selection !== null);
    return { kind: Kind.SELECTION_SET, selections };
  }

  function splitField(field: FieldNode, parent: GraphQLCompositeType, { part, ...position }: Position): FieldNode {
    if (isIntrospection(field) || field.name.value === '__typename') return field;
    const key = (field.alias ?? field.name).value;
    const keys = [...position.keys, key];
    const path = [...position.path, key];
    part.places.add(placeOf(keys));
    const definition = fieldDefinition(parent, field.name.value);
    if (definition === undefined) return field;
    const listed = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
    const isStreamable = isListType(listed) && isOnlySelection(placeOf(keys));
    const stream = isStreamable ? activeStream(field.directives, variables) : null;
    const inner = getNamedType(definition.type);
    const set = isCompositeType(inner) ? field.selectionSet : undefined;
    const selected = (within: Omit<Position, 'types'>): SelectionSetNode | undefined =>
      set === undefined || !isCompositeType(inner) ? undefined : split(set, inner, { ...within, types: typeNames(inner) });
    if (stream === null || !isStreamable) return withSelection(field, selected({ part, keys, path }));

    const later = addPart({ kind: 'STREAM', label: stream.label, position: path, type: listed.ofType });
    part.children.push(later);
    later.places.add(placeOf(keys));
    later.selectionSet = selected({ part: later, keys, path: [] }) ?? later.selectionSet;
    // without first items, the part does not wait for their members
    const isEmpty = stream.initialCount(variables) === 0;
    // a copy: a fragment can be used where the list is not streamed
    const streamed = { ...withSelection(field, isEmpty ? set : selected({ part, keys, path })) };
    streams.set(streamed, stream);
    return streamed;
  }

  function splitFragment(
    selection: Exclude<SelectionNode, FieldNode>,
    parent: GraphQLCompositeType,
    { part, keys, path, types }: Position,
  ): InlineFragmentNode | null {
    const body = fragmentBody(selection, fragments);
    if (body === undefined) return null;
    const { typeCondition, selectionSet } = body;
    const type = conditionType(schema, typeCondition?.name.value, parent);
    const possible = types.intersection(typeNames(type));
    if (possible.size === 0) return null;
    const within = possible.size === types.size ? path : [...path, possible];
    const defer = activeDefer(selection.directives, variables);
    if (defer === null) {
      const inlined = split(selectionSet, type, { part, keys, path: within, types: possible });
      return { kind: Kind.INLINE_FRAGMENT, ...(typeCondition === undefined ? {} : { typeCondition }), selectionSet: inlined };
    }
    // an object of a known type is fetched without its name
    const [name = ''] = possible;
    const known = possible.size === 1 ? conditionType(schema, name, type) : type;
    const deferred = addPart({ kind: 'DEFER', label: defer.label, position: within, type: known });
    part.children.push(deferred);
    deferred.selectionSet = split(selectionSet, known, { part: deferred, keys, path: [], types: possible });
    return null;
  }

  const typeNames = (type: GraphQLCompositeType): ReadonlySet<string> => objectTypeNames(schema, type);

  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null) throw new Error(`The schema does not support ${operation.operation} operations.`);
  const first = addPart({ kind: 'FIRST', label: null, position: [], type: root });
  first.selectionSet = split(operation.selectionSet, root, {
    part: first,
    keys: [],
    path: [],
    types: typeNames(root),
  });
  return { all, streams };
}
