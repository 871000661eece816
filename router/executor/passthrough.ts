/** Detects plans whose single fetch already returns the client's response, so that no projection is needed. */
import { getNamedType, isAbstractType, isCompositeType, isEnumType, isObjectType, Kind, parse, print } from 'graphql';
import type { FieldNode, GraphQLCompositeType, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { fieldDefinition, fragmentBody, fragmentsOf } from '../operations/document-types.ts';
import type { Fragments } from '../operations/document-types.ts';
import { isIncluded, noConditions, type Conditions } from '../operations/conditions.ts';
import type { SelectedOperation } from './projection.ts';
import type { ScheduledRequest } from './schedule.ts';

/** Names of the types whose enum values or possible types are partly hidden in an audience's schema: their values must be projected. */
export function partlyHidden(supergraph: GraphQLSchema, schema: GraphQLSchema): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    const whole = supergraph.getType(name);
    if (isEnumType(type) && isEnumType(whole) && whole.getValues().length !== type.getValues().length) hidden.add(name);
    if (
      isAbstractType(type) &&
      isAbstractType(whole) &&
      supergraph.getPossibleTypes(whole).length !== schema.getPossibleTypes(type).length
    )
      hidden.add(name);
  }
  return hidden;
}

interface ShapeContext {
  readonly schema: GraphQLSchema;
  readonly hidden: ReadonlySet<string>;
  readonly fragments: Fragments;
  readonly conditions: Conditions;
}

/** A selection as text, equal for selections with equal responses; null for a partly hidden type or a repeated key. */
function shapeOf(
  set: SelectionSetNode,
  type: GraphQLCompositeType,
  context: ShapeContext,
  keys = new Set<string>(),
): string | null {
  if (context.hidden.has(type.name)) return null;
  const parts: string[] = [];
  for (const selection of set.selections) {
    if (!isIncluded(selection.directives, context.conditions)) continue;
    const part =
      selection.kind === Kind.FIELD ? fieldShape(selection, type, context, keys) : fragmentShape(selection, type, context, keys);
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join(' ');
}

function fieldShape(field: FieldNode, type: GraphQLCompositeType, context: ShapeContext, keys: Set<string>): string | null {
  const key = (field.alias ?? field.name).value;
  // the selections of merged fields would have to be merged before a comparison
  if (keys.has(key)) return null;
  keys.add(key);
  const name = field.name.value;
  const definition = fieldDefinition(type, name);
  if (definition === undefined && name !== '__typename') return null;
  const inner = definition === undefined ? null : getNamedType(definition.type);
  if (inner !== null && context.hidden.has(inner.name)) return null;
  const isLeaf = field.selectionSet === undefined || !isCompositeType(inner);
  const members = isLeaf ? '' : shapeOf(field.selectionSet, inner, context);
  if (members === null) return null;
  const given = (field.arguments ?? []).map(print).sort().join(',');
  return `${key}:${name}(${given}){${members}}`;
}

function fragmentShape(
  selection: Exclude<SelectionNode, FieldNode>,
  type: GraphQLCompositeType,
  context: ShapeContext,
  keys: Set<string>,
): string | null {
  const { schema, fragments } = context;
  const body = fragmentBody(selection, fragments);
  const condition = body?.typeCondition === undefined ? type : schema.getType(body.typeCondition.name.value);
  if (body === undefined || !isCompositeType(condition)) return null;
  const always = condition === type || (isAbstractType(condition) && isObjectType(type) && schema.isSubType(condition, type));
  const members = shapeOf(body.selectionSet, always ? type : condition, context, always ? keys : new Set(keys));
  if (members === null) return null;
  return always ? members : `...${condition.name}{${members}}`;
}

/** True when the plan is one root fetch that selects exactly what the client does, of types that the client's schema shows fully. */
export function passesThrough(
  requests: readonly ScheduledRequest[],
  { schema, document, operation, conditions }: SelectedOperation,
  hidden: ReadonlySet<string>,
): boolean {
  const [part] = requests[0]?.parts ?? [];
  if (requests.length !== 1) return false;
  if (part === undefined || part.fetch.entities !== null || part.fetch.rewrites.length > 0) return false;
  if (part.paths.some((path) => path.length > 0)) return false;
  const fetchDocument = parse(part.fetch.text, { noLocation: true });
  const fetched = fetchDocument.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const root = schema.getRootType(operation.operation);
  if (fetched === undefined || root === undefined || root === null) return false;
  const shape = shapeOf(operation.selectionSet, root, { schema, hidden, conditions, fragments: fragmentsOf(document) });
  if (shape === null) return false;
  return (
    shape ===
    shapeOf(fetched.selectionSet, root, { schema, hidden, conditions: noConditions, fragments: fragmentsOf(fetchDocument) })
  );
}
