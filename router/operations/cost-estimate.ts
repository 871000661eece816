/** Estimates the cost of an operation from the sizes of its lists and batches: before it runs, and the same for both APIs. */
import {
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  Kind,
  OperationTypeNode,
} from 'graphql';
import type {
  FieldNode,
  DocumentNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Problem } from '../../schema/errors.ts';
import { conditionType, fieldDefinition, fragmentBody, fragmentsOf } from './document-types.ts';
import type { Fragments } from './document-types.ts';
import { limits } from './limits.ts';
import { createVariableSizes } from './variable-sizes.ts';
import { weightsOf } from './weights.ts';

/**
 * Points of an operation for given variables: one per entity (an object with an id) that it may return, and at least one per
 * root field. A list costs its size even when no field of its items is selected; a write costs at least one unit. `@cost` of a field is
 * added each time the field is resolved; `@cost` of a type replaces the point of its objects, that of a batch's argument
 * the points of its items.
 */
export type Estimate = (variables: Readonly<Record<string, unknown>>) => number;

/** Points per unit of the daily and monthly quota (docs/api-conventions.md). */
export const pointsPerUnit = 100;
/** Fields per point of a list item whose entities cost less: aliases are cheap to write. */
const fieldsPerPoint = 100;
/** Ten items of a batch count as one request. */
export const pointsPerItem = pointsPerUnit / 10;

/** The units that points count for: at least one. */
export const unitsOf = (points: number): number => Math.max(1, Math.ceil(points / pointsPerUnit));

/** Assumed size of a list of entities without a declared size. */
const defaultListSize = 10;
/** Assumed size of a list of parts of an entity: a match has two sides. */
const defaultPartsSize = 2;

/** The position of a selection. */
interface Position {
  /** The parent's `first` already determines the size of the lists within it (nodes, edges). */
  readonly sized: boolean;
  /**
   * Within a list of parts: single entities of the outermost such list are fetched together, deeper ones per part. Items of a
   * list of entities are outermost again: a match of a bracket has two sides, as a match of a page has.
   */
  readonly inParts: boolean;
}

const top: Position = { sized: false, inParts: false };

/** A term of the sum; `isList` for lists with a size, as opposed to single entities. */
interface Term {
  readonly points: Estimate;
  readonly isList: boolean;
}

type Field = GraphQLField<unknown, unknown>;

const sumOf =
  (terms: readonly Term[], own = 0): Estimate =>
  (variables) =>
    terms.reduce((total, { points }) => total + points(variables), own);

/** Counts fields at all levels, with each use of a fragment. */
function countFields(set: SelectionSetNode | undefined, fragments: Fragments): number {
  return (set?.selections ?? []).reduce((total, selection) => {
    if (selection.kind === Kind.FIELD) return total + 1 + countFields(selection.selectionSet, fragments);
    return total + countFields(fragmentBody(selection, fragments)?.selectionSet, fragments);
  }, 0);
}

/** Counts root fields and lists. Throws query_too_complex above the limit: each may use a database connection of its area. */
function createReadCounter(): () => void {
  let reads = 0;
  return () => {
    if (++reads <= limits.reads) return;
    throw new Problem(
      'query_too_complex',
      `The operation selects more than ${limits.reads} root fields and lists, counting each alias. Split it into several requests.`,
    );
  };
}

/**
 * Compiles the estimate; `document` is valid against `schema` and within the limits. Variables without a value have their default.
 * Throws query_too_complex for more root fields and lists than `limits.reads`.
 */
export function compileEstimate(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Estimate {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  const { sizeOf, lengthOf, inclusionOf } = createVariableSizes(operation);
  const countRead = createReadCounter();
  const { weightOf, objectPoints } = weightsOf(schema);

  function selectionTerms(set: SelectionSetNode, parent: GraphQLCompositeType, position: Position): Term[] {
    return set.selections.flatMap((selection) => {
      const terms = termsOf(selection, parent, position);
      const isIncluded = inclusionOf(selection);
      if (isIncluded === null) return terms;
      return terms.map(({ points, isList }) => ({
        points: (variables) => (isIncluded(variables) ? points(variables) : 0),
        isList,
      }));
    });
  }

  function termsOf(selection: SelectionNode, parent: GraphQLCompositeType, position: Position): Term[] {
    if (selection.kind === Kind.FIELD) return fieldTerms(selection, parent, position);
    const body = fragmentBody(selection, fragments);
    if (body === undefined) return [];
    return selectionTerms(body.selectionSet, conditionType(schema, body.typeCondition?.name.value, parent), position);
  }

  function fieldTerms(node: FieldNode, parent: GraphQLCompositeType, position: Position): Term[] {
    const field = fieldDefinition(parent, node.name.value);
    if (parent === root) return node.name.value === '__typename' ? [] : [{ points: rootEstimate(node, field), isList: false }];
    return field === undefined ? [] : valueTerms(node, field, position);
  }

  function rootEstimate(node: FieldNode, field: Field | undefined): Estimate {
    if (!field?.args.some(({ name }) => name === 'first')) countRead();
    // introspection returns the whole schema
    if (field === undefined) return () => pointsPerUnit;
    const value = sumOf(valueTerms(node, field, top));
    if (operation.operation !== OperationTypeNode.MUTATION) return (variables) => Math.max(1, value(variables));
    const batches = field.args
      .filter(({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))
      .map((argument): Term => {
        const length = lengthOf(node.arguments?.find(({ name }) => name.value === argument.name)?.value);
        const perItem = weightOf(argument) ?? pointsPerItem;
        return { points: (variables) => perItem * length(variables), isList: false };
      });
    const items = sumOf(batches);
    return (variables) => Math.max(pointsPerUnit, items(variables) + value(variables));
  }

  /** Maximum size of a list without `first`: its @length, or the default. */
  function maxSizeOf({ astNode }: Field): number {
    const length = schema.getDirective('length');
    const max = length && astNode ? getDirectiveValues(length, astNode)?.['max'] : undefined;
    return typeof max === 'number' ? max : defaultListSize;
  }

  /** The declared weight of the field, which is not multiplied by the size of the list that it returns, and the cost of its value. */
  function valueTerms(node: FieldNode, field: Field, position: Position): Term[] {
    const weight = weightOf(field);
    const terms = objectTerms(node, field, position);
    return weight === null ? terms : [{ points: () => weight, isList: false }, ...terms];
  }

  function objectTerms(node: FieldNode, field: Field, position: Position): Term[] {
    const type = getNamedType(field.type);
    if (node.selectionSet === undefined || !isCompositeType(type)) return [];
    const first = field.args.find(({ name }) => name === 'first');
    const own = objectPoints(type);
    const isList = isListType(getNullableType(field.type)) && !position.sized;
    const isParts = first === undefined && own === 0 && isList;
    const inner = selectionTerms(node.selectionSet, type, {
      sized: first !== undefined,
      inParts: isParts || (position.inParts && !isList),
    });
    if (first !== undefined) {
      countRead();
      return [pageTerm(node, node.selectionSet, first.defaultValue, sumOf(inner, own))];
    }
    if (isParts) return partTerms(inner, field, position);
    const hasList = inner.some((term) => term.isList);
    if (isList) {
      const max = maxSizeOf(field);
      const within = sumOf(inner);
      const items = weightOf(type) === null ? Math.min(defaultListSize, max) : max * own;
      return [{ points: (variables) => items + max * within(variables), isList: hasList }];
    }
    return own === 0 && inner.length === 0 ? [] : [{ points: sumOf(inner, own), isList: hasList }];
  }

  /** The page is read even when only `page` is selected. */
  function pageTerm(node: FieldNode, set: SelectionSetNode, defaultSize: unknown, perItem: Estimate): Term {
    const size = sizeOf(node.arguments?.find(({ name }) => name.value === 'first')?.value, defaultSize);
    const least = Math.max(1, Math.ceil(countFields(set, fragments) / fieldsPerPoint));
    return { points: (variables) => Math.max(1, size(variables)) * Math.max(least, perItem(variables)), isList: true };
  }

  function partTerms(inner: readonly Term[], field: Field, { inParts }: Position): Term[] {
    const max = maxSizeOf(field);
    return inner.map(({ points, isList }) => {
      const times = isList || inParts ? max : defaultPartsSize;
      return { points: (variables) => times * points(variables), isList };
    });
  }

  return sumOf(root === undefined || root === null ? [] : selectionTerms(operation.selectionSet, root, top));
}
