/** Counts what an operation has returned, in the points of its estimate (cost-estimate.ts). */
import { getNamedType, isCompositeType, isInputObjectType, isListType, getNullableType, Kind, OperationTypeNode } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { pointsPerItem, pointsPerUnit } from './cost-estimate.ts';
import { isRecord } from '../../schema/records.ts';
import { conditionType, fieldDefinition, fragmentBody, fragmentsOf } from './document-types.ts';
import { createVariableSizes } from './variable-sizes.ts';
import { weightsOf } from './weights.ts';

/** Points of a response: those of the returned objects and of the resolved fields with a declared weight. */
export type ActualCost = (data: Readonly<Record<string, unknown>> | null, variables: Readonly<Record<string, unknown>>) => number;

/** A response key, merged over all selections of it. */
interface Selected {
  /** Points each time the field is resolved. */
  weight: number;
  /** Points of each object of its value. */
  object: number;
  readonly fields: Map<string, Selected>;
}

type Field = GraphQLField<unknown, unknown>;
/** Points of the items of a batch. */
type Batch = (variables: Readonly<Record<string, unknown>>) => number;

const responseKey = ({ alias, name }: FieldNode): string => alias?.value ?? name.value;

function pointsOfFields(fields: ReadonlyMap<string, Selected>, object: Readonly<Record<string, unknown>>): number {
  let points = 0;
  for (const [key, selected] of fields) {
    // absent: a field of another type, or one that a condition excludes
    if (Object.hasOwn(object, key)) points += selected.weight + pointsOfValue(selected, object[key]);
  }
  return points;
}

function pointsOfValue(selected: Selected, value: unknown): number {
  if (isRecord(value)) return selected.object + pointsOfFields(selected.fields, value);
  if (!Array.isArray(value)) return 0;
  let points = 0;
  for (const item of value) points += pointsOfValue(selected, item);
  return points;
}

/** Compiles the count; `document` is valid against `schema`. */
export function compileActualCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): ActualCost {
  const fragments = fragmentsOf(document);
  const { weightOf, objectPoints } = weightsOf(schema);
  const { lengthOf } = createVariableSizes(operation);
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const batches = new Map<string, Batch>();
  const roots = new Map<string, Selected>();
  const root = schema.getRootType(operation.operation);

  function collect(set: SelectionSetNode, parent: GraphQLCompositeType, into: Map<string, Selected>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fieldDefinition(parent, selection.name.value);
        if (field === undefined) continue;
        collectField(selection, field, into);
        if (parent === root && isMutation) collectBatches(selection, field);
      } else {
        const body = fragmentBody(selection, fragments);
        if (body !== undefined) collect(body.selectionSet, conditionType(schema, body.typeCondition?.name.value, parent), into);
      }
    }
  }

  function collectField(node: FieldNode, field: Field, into: Map<string, Selected>): void {
    const type = getNamedType(field.type);
    // leaves of objects are free
    if (node.selectionSet === undefined && weightOf(field) === null && into !== roots) return;
    const key = responseKey(node);
    const known = into.get(key) ?? { weight: 0, object: 0, fields: new Map<string, Selected>() };
    into.set(key, known);
    known.weight = Math.max(known.weight, weightOf(field) ?? 0);
    const { selectionSet } = node;
    if (selectionSet === undefined || !isCompositeType(type)) return;
    known.object = Math.max(known.object, objectPoints(type));
    collect(selectionSet, type, known.fields);
  }

  /** The items of a batch cost the same whatever becomes of them. */
  function collectBatches(node: FieldNode, { args }: Field): void {
    for (const argument of args) {
      if (!isListType(getNullableType(argument.type)) || !isInputObjectType(getNamedType(argument.type))) continue;
      const length = lengthOf(node.arguments?.find(({ name }) => name.value === argument.name)?.value);
      const perItem = weightOf(argument) ?? pointsPerItem;
      batches.set(responseKey(node), (variables) => perItem * length(variables));
    }
  }

  if (root !== undefined && root !== null) collect(operation.selectionSet, root, roots);
  const least = isMutation ? pointsPerUnit : 1;
  return (data, variables) => {
    if (data === null) return 0;
    let points = 0;
    for (const [key, value] of Object.entries(data)) {
      const selected = roots.get(key);
      if (selected !== undefined) {
        const items = batches.get(key)?.(variables) ?? 0;
        points += Math.max(least, items + selected.weight + pointsOfValue(selected, value));
      }
      // introspection; `__typename` is a text
      if (selected === undefined && typeof value === 'object' && value !== null) points += pointsPerUnit;
    }
    return points;
  };
}
