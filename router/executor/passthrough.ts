/** Whether what an area answers to the one fetch of a plan is the client's answer as it is. */
import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, GraphQLCompositeType, GraphQLSchema, SelectionSetNode } from 'graphql';
import { isIncluded, type Conditions } from './conditions.ts';
import type { SelectedOperation } from './projection.ts';
import type { Step } from './steps.ts';

/** Names of the types of which the reader's schema hides values or members: their answers are not his. */
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

interface Reading {
  readonly schema: GraphQLSchema;
  readonly hidden: ReadonlySet<string>;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly conditions: Conditions;
}

function fragmentsOf({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]),
  );
}

/** A selection as one text, equal for selections that answer alike; null when a type is hidden in part, or a key stands twice. */
function shape(set: SelectionSetNode, type: GraphQLCompositeType, reading: Reading, keys = new Set<string>()): string | null {
  const { schema, hidden, fragments, conditions } = reading;
  if (hidden.has(type.name)) return null;
  const parts: string[] = [];
  for (const selection of set.selections) {
    if (!isIncluded(selection.directives, conditions)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      // merged fields would have to be compared as merged
      if (keys.has(key)) return null;
      keys.add(key);
      const name = selection.name.value;
      const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
      if (definition === undefined && name !== '__typename') return null;
      const inner = definition === undefined ? null : getNamedType(definition.type);
      if (inner !== null && hidden.has(inner.name)) return null;
      const own =
        selection.selectionSet === undefined || !isCompositeType(inner) ? '' : shape(selection.selectionSet, inner, reading);
      if (own === null) return null;
      const given = (selection.arguments ?? []).map(print).sort().join(',');
      parts.push(`${key}:${name}(${given}){${own}}`);
      continue;
    }
    const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    const condition = body?.typeCondition === undefined ? type : schema.getType(body.typeCondition.name.value);
    if (body === undefined || !isCompositeType(condition)) return null;
    const always = condition === type || (isAbstractType(condition) && isObjectType(type) && schema.isSubType(condition, type));
    const own = shape(body.selectionSet, always ? type : condition, reading, always ? keys : new Set(keys));
    if (own === null) return null;
    parts.push(always ? own : `...${condition.name}{${own}}`);
  }
  return parts.join(' ');
}

/** True when the plan is one fetch at the root that asks for exactly what the client does, of types he sees whole. */
export function passesThrough(
  step: Step,
  { schema, document, operation, conditions }: SelectedOperation,
  hidden: ReadonlySet<string>,
): boolean {
  if (step.kind !== 'Request' || step.parts.length !== 1) return false;
  const [{ fetch, path } = { fetch: null, path: [] }] = step.parts;
  if (fetch === null || path.length > 0 || fetch.requires !== undefined || (fetch.outputRewrites ?? []).length > 0) return false;
  const asked = parse(fetch.operation, { noLocation: true });
  const fetched = asked.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const root = schema.getRootType(operation.operation);
  if (fetched === undefined || root === undefined || root === null) return false;
  const own = shape(operation.selectionSet, root, { schema, hidden, conditions, fragments: fragmentsOf(document) });
  return own !== null && own === shape(fetched.selectionSet, root, { schema, hidden, conditions, fragments: fragmentsOf(asked) });
}
