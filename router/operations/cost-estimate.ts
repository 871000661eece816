/** What an operation may cost, from the sizes of its lists and batches: known before it runs, the same for both doors. */
import {
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  DocumentNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { Problem } from '../../schema/errors.ts';
import { limits } from './limits.ts';

/**
 * Points of an operation by the values of its variables: one for each entity (an object with an id) it may return and for each
 * root field at least; a list costs its size even if nothing of its items is asked for; a write costs a unit at least.
 */
export type Estimate = (variables: Readonly<Record<string, unknown>>) => number;

/** Points that count as one request against day and month (docs/api-conventions.md). */
const pointsPerUnit = 100;
/** Fields of one item of a list that cost a point, where its entities do not cost as much: an alias is cheap to write. */
const fieldsPerPoint = 100;
/** Ten items of a batch count as one request. */
const pointsPerItem = pointsPerUnit / 10;

/** What points count for against day and month: at least one. */
export const unitsOf = (points: number): number => Math.max(1, Math.ceil(points / pointsPerUnit));

/** A list of entities whose size nobody says is taken to hold so many, as most do. */
const unsized = 10;
/** A list of parts of an entity is taken to hold so many: two sides have a match. */
const unsizedParts = 2;

/** Where a selection stands. */
interface Place {
  /** The parent's own `first` has already said how long the lists within it are (nodes, edges). */
  readonly sized: boolean;
  /** Within a list of parts: single entities of the first such list are read for all at once, what is within again is there for each. */
  readonly inParts: boolean;
}

const top: Place = { sized: false, inParts: false };

/** A term of the sum; `read` where it is of a list within, which is as long as somebody asks for, and not of single entities. */
interface Part {
  readonly points: Estimate;
  readonly read: boolean;
}

const atLeastZero = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** They carry the id of something that is not returned. */
const notEntities = new Set(['Tombstone', 'Deleted']);

function isEntity(type: GraphQLCompositeType): boolean {
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return isNonNullType(type.getFields()['id']?.type) && !notEntities.has(type.name);
}

/**
 * Compiles the estimate; `document` is valid against `schema` and within the limits. A variable without a value has its default.
 * Throws query_too_complex for more root fields and lists than `limits.reads`: each may hold a connection of its area.
 */
export function compileEstimate(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Estimate {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue === undefined ? undefined : valueFromASTUntyped(defaultValue),
    ]),
  );

  /** A null that was given is no default: where it may not be, it is refused (coerce.ts). */
  const valueOf = (name: string, variables: Readonly<Record<string, unknown>>): unknown =>
    variables[name] === undefined ? defaults.get(name) : variables[name];

  function sizeOf(value: ValueNode | undefined, fallback: unknown): Estimate {
    if (value === undefined) return () => atLeastZero(fallback);
    if (value.kind === Kind.INT) return () => atLeastZero(Number(value.value));
    if (value.kind !== Kind.VARIABLE) return () => atLeastZero(fallback);
    const name = value.name.value;
    return (variables) => atLeastZero(valueOf(name, variables) ?? fallback);
  }

  /** Whether @skip and @include let the selection in. */
  function isIncluded({ directives }: SelectionNode): ((variables: Readonly<Record<string, unknown>>) => boolean) | null {
    const conditions = directives?.filter(({ name }) => name.value === 'skip' || name.value === 'include') ?? [];
    if (conditions.length === 0) return null;
    return (variables) =>
      conditions.every(({ name, arguments: given }) => {
        const value = given?.[0]?.value;
        const actual =
          value?.kind === Kind.VARIABLE ? valueOf(value.name.value, variables) : value?.kind === Kind.BOOLEAN && value.value;
        return actual === (name.value === 'include');
      });
  }

  function ofSelection(set: SelectionSetNode, parent: GraphQLCompositeType, place: Place): Part[] {
    return set.selections.flatMap((selection) => {
      const parts = ofOne(selection, parent, place);
      const included = isIncluded(selection);
      if (included === null) return parts;
      return parts.map(({ points, read }) => ({ points: (variables) => (included(variables) ? points(variables) : 0), read }));
    });
  }

  function ofOne(selection: SelectionNode, parent: GraphQLCompositeType, place: Place): Part[] {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent, place);
    const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (body === undefined) return [];
    const type = body.typeCondition === undefined ? parent : schema.getType(body.typeCondition.name.value);
    return isCompositeType(type) ? ofSelection(body.selectionSet, type, place) : [];
  }

  /** How many items a list argument holds; one that is no list is a list of itself. */
  function lengthOf(value: ValueNode | undefined): Estimate {
    if (value === undefined || value.kind === Kind.NULL) return () => 0;
    if (value.kind === Kind.LIST) return () => value.values.length;
    if (value.kind !== Kind.VARIABLE) return () => 1;
    const name = value.name.value;
    return (variables) => {
      const items = valueOf(name, variables);
      return Array.isArray(items) ? items.length : items === undefined || items === null ? 0 : 1;
    };
  }

  const sumOf =
    (parts: readonly Part[], own = 0): Estimate =>
    (variables) =>
      parts.reduce((total, { points }) => total + points(variables), own);

  function ofField(node: FieldNode, parent: GraphQLCompositeType, place: Place): Part[] {
    const field: GraphQLField<unknown, unknown> | undefined =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (parent === root) return node.name.value === '__typename' ? [] : [{ points: ofRoot(node, field), read: false }];
    return field === undefined ? [] : ofValue(node, field, place);
  }

  function ofRoot(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined): Estimate {
    if (!field?.args.some(({ name }) => name === 'first')) countRead();
    // The whole schema, told by introspection, is dear.
    if (field === undefined) return () => pointsPerUnit;
    const value = sumOf(ofValue(node, field, top));
    if (operation.operation !== OperationTypeNode.MUTATION) return (variables) => Math.max(1, value(variables));
    const batches = field.args
      .filter(({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))
      .map((argument) => lengthOf(node.arguments?.find(({ name }) => name.value === argument.name)?.value));
    const items = sumOf(batches.map((points) => ({ points, read: false })));
    return (variables) => Math.max(pointsPerUnit, items(variables) * pointsPerItem + value(variables));
  }

  /** Fields at all levels, each use of a fragment counted. */
  function fieldsOf(set: SelectionSetNode | undefined): number {
    return (set?.selections ?? []).reduce((total, selection) => {
      if (selection.kind === Kind.FIELD) return total + 1 + fieldsOf(selection.selectionSet);
      const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      return total + fieldsOf(body?.selectionSet);
    }, 0);
  }

  /** Items a list without `first` may hold: as its @length says. What is read within each of them counts for so many. */
  function mostOf({ astNode }: GraphQLField<unknown, unknown>): number {
    const length = schema.getDirective('length');
    const max = length && astNode ? getDirectiveValues(length, astNode)?.['max'] : undefined;
    return typeof max === 'number' ? max : unsized;
  }

  function ofValue(node: FieldNode, field: GraphQLField<unknown, unknown>, { sized, inParts }: Place): Part[] {
    const type = getNamedType(field.type);
    if (node.selectionSet === undefined || !isCompositeType(type)) return [];
    const first = field.args.find(({ name }) => name === 'first');
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    const own = isEntity(type) ? 1 : 0;
    const isParts = first === undefined && own === 0 && !sized && isListType(getNullableType(field.type));
    const inner = ofSelection(node.selectionSet, type, { sized: first !== undefined, inParts: inParts || isParts });
    const sum = sumOf(inner, own);
    const read = inner.some((part) => part.read);
    if (first !== undefined) {
      countRead();
      const size = sizeOf(given, first.defaultValue);
      // The page is read even when only its end is asked for.
      const least = Math.max(1, Math.ceil(fieldsOf(node.selectionSet) / fieldsPerPoint));
      return [{ points: (variables) => Math.max(1, size(variables)) * Math.max(least, sum(variables)), read: true }];
    }
    if (isParts) {
      const most = mostOf(field);
      return inner.map(({ points, read }) => {
        const times = read || inParts ? most : unsizedParts;
        return { points: (variables) => times * points(variables), read };
      });
    }
    if (isListType(getNullableType(field.type)) && !sized) {
      const most = mostOf(field);
      const within = sumOf(inner);
      return [{ points: (variables) => Math.min(unsized, most) + most * within(variables), read }];
    }
    return own === 0 && inner.length === 0 ? [] : [{ points: sum, read }];
  }

  let reads = 0;
  function countRead(): void {
    if (++reads > limits.reads) {
      throw new Problem(
        'query_too_complex',
        `The operation asks for more than ${limits.reads} root fields and lists, aliases counted: ask in several requests.`,
      );
    }
  }

  const root = schema.getRootType(operation.operation);
  return sumOf(root === undefined || root === null ? [] : ofSelection(operation.selectionSet, root, top));
}
