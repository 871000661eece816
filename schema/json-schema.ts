/** JSON Schema (2020-12) of GraphQL inputs, used for REST bodies, REST parameters and the bounds of GraphQL arguments. */
import {
  getDirectiveValues,
  getNamedType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type {
  ConstDirectiveNode,
  GraphQLArgument,
  GraphQLEnumType,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLSchema,
} from 'graphql';
import { scalars } from './scalars.ts';
import { nameMembers, notBlank, oneLine, withoutNul } from './texts.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An argument, an input field, or another element with a type and bounds. */
export type Bounded = Pick<GraphQLArgument | GraphQLInputField, 'type' | 'description' | 'defaultValue' | 'astNode'>;

export interface JsonSchemas {
  /** Schema of a type: references for input objects and enums; accepts `null` unless the type is NonNull. */
  ofType(type: GraphQLInputType): JsonSchema;
  /** Schema of an argument or input field, with its bounds, description and default. */
  of(element: Bounded): JsonSchema;
  /** A reference to a named input type. Throws Error for an unknown name. */
  ofInput(name: string): JsonSchema;
  /** Every input type and enum referenced so far, and the types they reference, by name. */
  components(): Record<string, JsonSchema>;
}

const scalarSchemas: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries(scalars).map(([name, { jsonSchema }]) => [name, jsonSchema]),
);

const specified: Readonly<Record<string, JsonSchema>> = {
  // every id of the platform is a UUID
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
};

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Arguments of a directive on an element; null when it is not applied. */
function applied(schema: GraphQLSchema, name: string, element: Bounded): Record<string, unknown> | null {
  const directive = schema.getDirective(name);
  const directives: readonly ConstDirectiveNode[] | undefined = element.astNode?.directives;
  if (directive === null || directive === undefined || directives === undefined) return null;
  return getDirectiveValues(directive, { directives }) ?? null;
}

const given = (members: Readonly<Record<string, unknown>>): JsonSchema =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));

/** The examples of a pattern: the texts in backticks of the description that match it. At most four. */
function examplesOf({ description }: Bounded, regex: unknown): readonly string[] | undefined {
  if (typeof regex !== 'string') return undefined;
  const pattern = new RegExp(regex, 'u');
  const quoted = [...(description ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text ?? []);
  const examples = [...new Set(quoted)].filter((text) => pattern.test(text)).slice(0, 4);
  return examples.length > 0 ? examples : undefined;
}

/** Whether the element has bounds. Bounds inside its type do not count. */
export function hasBounds(schema: GraphQLSchema, element: Bounded): boolean {
  return ['range', 'pattern', 'length'].some((name) => applied(schema, name, element) !== null);
}

/** Whether an argument or input field is a name, or a list of names. */
export const isName = ({ type, astNode }: Pick<Bounded, 'type' | 'astNode'>): boolean =>
  getNamedType(type).name === 'String' && nameMembers.has(astNode?.name.value ?? '');

/** The pattern of a text without a declared one: a name is one line, and a text with a minimum length must not be blank. */
function textPattern(element: Bounded, { min = 0 }: Bounds): string | undefined {
  if (isName(element)) return oneLine;
  if (getNamedType(element.type).name !== 'String') return undefined;
  const type = isNonNullType(element.type) ? element.type.ofType : element.type;
  return min > 0 && isScalarType(type) ? notBlank : withoutNul;
}

/** The single member of a @oneOf input is not null (GraphQL specification, OneOf Input Objects). */
const asPresent = (field: GraphQLInputField): Bounded => ({
  type: isNonNullType(field.type) ? field.type : new GraphQLNonNull(field.type),
  description: field.description,
  defaultValue: field.defaultValue,
  astNode: field.astNode,
});

/**
 * Creates the schemas of the inputs of one GraphQL schema. References start with `prefix`.
 * Input objects accept no unknown members; a NonNull member without default is required.
 */
export function createJsonSchemas(schema: GraphQLSchema, options: { readonly prefix?: string } = {}): JsonSchemas {
  const prefix = options.prefix ?? '#/components/schemas/';
  const named = new Map<string, JsonSchema>();

  function reference(type: GraphQLEnumType | GraphQLInputObjectType): JsonSchema {
    if (!named.has(type.name)) {
      // Set before the members are visited: input types may reference themselves.
      named.set(type.name, {});
      named.set(type.name, isEnumType(type) ? enumSchema(type) : objectSchema(type));
    }
    return { $ref: `${prefix}${type.name}` };
  }

  function enumSchema(type: GraphQLEnumType): JsonSchema {
    return given({
      title: type.name,
      description: type.description,
      type: 'string',
      enum: type.getValues().map(({ name }) => name),
    });
  }

  function objectSchema(type: GraphQLInputObjectType): JsonSchema {
    const fields = Object.values(type.getFields());
    const required = fields
      .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
      .map(({ name }) => name);
    return given({
      title: type.name,
      description: type.description,
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, of(type.isOneOf ? asPresent(field) : field)])),
      required: required.length > 0 ? required : undefined,
      additionalProperties: false,
      ...(type.isOneOf ? { minProperties: 1, maxProperties: 1 } : {}),
    });
  }

  function nullable(inner: JsonSchema): JsonSchema {
    return typeof inner['type'] === 'string' ? { ...inner, type: [inner['type'], 'null'] } : { anyOf: [inner, { type: 'null' }] };
  }

  function bounded(type: GraphQLInputType, bounds: { text: JsonSchema; list: JsonSchema }): JsonSchema {
    if (!isNonNullType(type)) return nullable(required(type, bounds));
    return required(type.ofType, bounds);
  }

  function required(type: GraphQLInputType, bounds: { text: JsonSchema; list: JsonSchema }): JsonSchema {
    if (isListType(type)) return { type: 'array', items: bounded(type.ofType, { text: bounds.text, list: {} }), ...bounds.list };
    if (isEnumType(type) || isInputObjectType(type)) return reference(type);
    if (!isScalarType(type)) throw new Error(`${String(type)} is not an input type`);
    const row = scalarSchemas.get(type.name) ?? specified[type.name];
    if (row === undefined) throw new Error(`Scalar ${type.name} has no row in schema/scalars.ts`);
    return { ...row, ...bounds.text };
  }

  /** Bounds of the value, or of the items of a list; a length on a list counts its items. */
  function boundsOf(element: Bounded): { text: JsonSchema; list: JsonSchema } {
    const range: Bounds = applied(schema, 'range', element) ?? {};
    const length: Bounds = applied(schema, 'length', element) ?? {};
    const regex = applied(schema, 'pattern', element)?.['regex'];
    const type = isNonNullType(element.type) ? element.type.ofType : element.type;
    const isList = isListType(type);
    return {
      text: given({
        minimum: range.min,
        maximum: range.max,
        pattern: regex ?? textPattern(element, length),
        examples: examplesOf(element, regex),
        ...(isList ? {} : { minLength: length.min, maxLength: length.max }),
      }),
      list: isList ? given({ minItems: length.min, maxItems: length.max }) : {},
    };
  }

  function of(element: Bounded): JsonSchema {
    const inner = bounded(element.type, boundsOf(element));
    return {
      ...inner,
      ...given({ description: element.description }),
      ...(element.defaultValue === undefined ? {} : { default: element.defaultValue }),
    };
  }

  return {
    ofType: (type) => bounded(type, { text: {}, list: {} }),
    of,
    ofInput(name) {
      const type = schema.getType(name);
      if (!isInputObjectType(type)) throw new Error(`The schema has no input type ${name}`);
      return reference(type);
    },
    components: () => Object.fromEntries([...named].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** Every input type reachable from a type, including the type. */
export function reachableInputs(type: GraphQLInputType): GraphQLInputObjectType[] {
  const found = new Set<GraphQLInputObjectType>();
  const visit = (one: GraphQLInputType): void => {
    const inner = getNamedType(one);
    if (!isInputObjectType(inner) || found.has(inner)) return;
    found.add(inner);
    for (const field of Object.values(inner.getFields())) visit(field.type);
  };
  visit(type);
  return [...found];
}
