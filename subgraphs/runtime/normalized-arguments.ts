/** Arguments in one spelling, for all resolvers of an area: UUIDs in lower case, and names without the spaces around them. */
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import type { GraphQLArgument, GraphQLFieldResolver, GraphQLInputField, GraphQLSchema } from 'graphql';
import { isName } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import { normalizedId } from '../../schema/texts.ts';

type Element = GraphQLArgument | GraphQLInputField;
type Normalize = (value: unknown) => unknown;
type Values = Readonly<Record<string, unknown>>;

const onText =
  (change: (text: string) => string): Normalize =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** The same list or object while no value in it changes. */
function mapped(value: unknown, each: Normalize): unknown {
  if (!Array.isArray(value)) return each(value);
  const items: readonly unknown[] = value;
  const next = items.map((item) => mapped(item, each));
  return next.some((item, index) => item !== items[index]) ? next : value;
}

function withMembers(values: Values, normalizers: ReadonlyMap<string, Normalize>): Values {
  let next = values;
  for (const [name, normalize] of normalizers) {
    if (!Object.hasOwn(values, name)) continue;
    const value = mapped(values[name], normalize);
    if (value !== values[name]) next = { ...next, [name]: value };
  }
  return next;
}

/** Compiles the normalization of arguments; input types may contain themselves. */
function createNormalizers() {
  const known = new Map<string, Map<string, Normalize>>();

  function ofElement(element: Element): Normalize | null {
    const type = getNamedType(element.type);
    if (type.name === 'ID') return onText(normalizedId);
    if (isName(element)) return onText((text) => text.trim());
    if (!isInputObjectType(type)) return null;
    const members = known.get(type.name) ?? new Map<string, Normalize>();
    if (!known.has(type.name)) {
      known.set(type.name, members);
      fill(members, Object.values(type.getFields()));
    }
    return (value) => (isRecord(value) ? withMembers(value, members) : value);
  }

  function fill(normalizers: Map<string, Normalize>, elements: readonly Element[]): void {
    for (const element of elements) {
      const normalize = ofElement(element);
      if (normalize !== null) normalizers.set(element.name, normalize);
    }
  }

  return (elements: readonly Element[]): ReadonlyMap<string, Normalize> => {
    const normalizers = new Map<string, Normalize>();
    fill(normalizers, elements);
    return normalizers;
  };
}

/** Makes all resolvers of a schema receive normalized arguments. */
export function normalizeArguments(schema: GraphQLSchema): GraphQLSchema {
  const normalizersOf = createNormalizers();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      const normalizers = normalizersOf(field.args);
      if (resolve === undefined || normalizers.size === 0) continue;
      const normalized: GraphQLFieldResolver<unknown, unknown, Values> = (source, args, context, info) =>
        resolve(source, withMembers(args, normalizers), context, info);
      field.resolve = normalized;
    }
  }
  return schema;
}
