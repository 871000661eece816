/** Queries of an area in two equivalent forms: omitted arguments are absent or null. */
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

type Values = Readonly<Record<string, unknown>>;
/** A value for an argument or filter member; undefined when there is none. */
type Sample = (input: GraphQLArgument | GraphQLInputField) => unknown;

export interface QueryPair {
  /** `Type.field` and the given arguments. */
  readonly name: string;
  readonly query: string;
  readonly absent: Values;
  readonly nulled: Values;
}

/** The selection of a value: its leaves, the leaves of a page's rows, and the page info. */
function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const selected = fields
    .filter(({ name, args }) => args.length === 0 && name !== 'updatedUntil')
    .filter(
      (field) =>
        !isCompositeType(getNamedType(field.type)) || (depth === 0 && /^(nodes|edges|pageInfo|tombstones)$/.test(field.name)),
    );
  return `{ __typename ${selected.map((field) => `${field.name} ${selection(field.type, depth + 1)}`).join(' ')} }`;
}

const isOptional = (input: GraphQLArgument | GraphQLInputField): boolean =>
  !isNonNullType(input.type) && input.defaultValue === undefined;

/** Each argument alone, and none. */
function inputVariants(inputs: readonly (GraphQLArgument | GraphQLInputField)[], sample: Sample): [string, Values][] {
  const optional = inputs.filter(isOptional);
  const needed = Object.fromEntries(
    inputs.filter((input) => isNonNullType(input.type)).map((input) => [input.name, sample(input)]),
  );
  const one = optional.map((input): [string, Values] => [input.name, { ...needed, [input.name]: sample(input) }]);
  return [['nothing', needed], ...one.filter(([name, values]) => values[name] !== undefined)];
}

function withNulls(inputs: readonly (GraphQLArgument | GraphQLInputField)[], given_: Values): Values {
  const nulls = inputs.filter(isOptional).map(({ name }) => [name, null]);
  return { ...Object.fromEntries(nulls), ...given_ };
}

function queriesOf(
  parent: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  sample: Sample,
  around: (text: string) => string,
): QueryPair[] {
  const { args, name, type } = field;
  const declared = args.map(
    (arg) =>
      `$${arg.name}: ${String(arg.type)}${isNonNullType(arg.type) && arg.defaultValue !== undefined ? ' = ' + JSON.stringify(arg.defaultValue).replaceAll('"', '') : ''}`,
  );
  const given = args.map((arg) => `${arg.name}: $${arg.name}`);
  const query = `query (${declared.join(' ')}) ${around(`${name}(${given.join(' ')}) ${selection(type)}`)}`;
  const plain = args.filter((arg) => arg.defaultValue === undefined);
  const questions = inputVariants(plain, sample).map(([variant, given_]) => ({
    name: `${parent.name}.${name}: ${variant}`,
    query,
    absent: given_,
    nulled: withNulls(plain, given_),
  }));
  const [, needed = {}] = inputVariants(plain, sample)[0] ?? [];
  const filters = args.flatMap((arg) => {
    const input = getNullableType(arg.type);
    if (!isInputObjectType(input)) return [];
    const members = Object.values(input.getFields());
    return inputVariants(members, sample).map(([variant, given_]) => ({
      name: `${parent.name}.${name}: ${arg.name} ${variant}`,
      query,
      absent: { ...needed, [arg.name]: given_ },
      nulled: { ...needed, [arg.name]: withNulls(members, given_) },
    }));
  });
  return [...questions, ...filters];
}

/** Queries for every root field with arguments, and for every field with arguments of an entity with an id in `idOf`. */
export function nullArgumentQueries(
  schema: GraphQLSchema,
  sample: (parent: string) => Sample,
  idOf: (type: string) => unknown,
): QueryPair[] {
  const union = schema.getType('_Entity');
  const entities = isUnionType(union) ? union.getTypes() : [];
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('_') || type === schema.getMutationType()) return [];
    const id = idOf(type.name);
    const isRoot = type === schema.getQueryType();
    if (!isRoot && (id === undefined || !entities.includes(type))) return [];
    const around = (text: string): string =>
      isRoot
        ? `{ ${text} }`
        : `{ _entities(representations: [{ __typename: "${type.name}", id: "${String(id)}" }]) { ... on ${type.name} { ${text} } } }`;
    return Object.values(type.getFields())
      .filter(({ name, args }) => args.length > 0 && !name.startsWith('_'))
      .flatMap((field) => queriesOf(type, field, sample(String(getNamedType(field.type))), around));
  });
}
