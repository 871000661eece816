/** Generates operations for a schema: selections, aliases, fragments, conditions, introspection. */
import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { createVariables, type Pick } from './inputs.ts';

export interface GeneratedOperation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Approximate size limits: depth and number of fields. */
export interface Bounds {
  readonly depth: number;
  readonly fields: number;
}

/** The selections at one response path. */
const selectionsMax = 4;

interface Fragment {
  readonly name: string;
  readonly on: string;
  readonly text: string;
}

/** The field of a response key at one path: fields with one key must be equal, or of types that exclude each other. */
interface UsedKey {
  readonly field: string;
  readonly on: GraphQLCompositeType;
  readonly type: string;
}

const introspections = [
  '__schema { queryType { name } }',
  'schema: __schema { types { kind } directives { name args { name } } }',
  '__type(name: "Query") { __typename name kind fields { name } }',
];

/** Generates an operation. Most are valid; those with conflicting fields are not. */
export function generateOperation(schema: GraphQLSchema, bounds: Bounds, pick: Pick): GeneratedOperation {
  const variables = createVariables(pick);
  const fragments: Fragment[] = [];
  const usedKeys = new Map<string, UsedKey>();
  let fields = 0;
  let nextKey = 0;
  const chosen = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;

  function directives(): string {
    if (pick(6) !== 0) return '';
    const condition = (): string => (pick(4) === 0 ? String(pick(2) === 0) : variables.condition());
    const way = pick(5);
    if (way < 2) return ` @include(if: ${condition()})`;
    return way < 4 ? ` @skip(if: ${condition()})` : ` @skip(if: ${condition()}) @include(if: ${condition()})`;
  }

  const excludes = (one: GraphQLCompositeType, other: GraphQLCompositeType): boolean =>
    one !== other && isObjectType(one) && isObjectType(other);

  /** A response key that no other field at this path has. */
  function keyOf(place: string, wanted: string, { field, on, type }: UsedKey): string {
    const known = usedKeys.get(`${place}.${wanted}`);
    const isFree =
      known === undefined || known.field === field || (excludes(known.on, on) && known.type === type && !type.includes('{'));
    if (!isFree) return keyOf(place, `k${(nextKey += 1)}`, { field, on, type });
    usedKeys.set(`${place}.${wanted}`, known ?? { field, on, type });
    return wanted;
  }

  function generateField(on: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, depth: number, place: string): string {
    fields += 1;
    const given = variables.given(field.args);
    const inner = getNamedType(field.type);
    const wanted = pick(4) === 0 ? chosen(['a', 'b', 'id', 'name']) : field.name;
    const type = isCompositeType(inner) ? `{${String(field.type)}}` : String(field.type);
    const key = keyOf(place, wanted, { field: `${field.name}${given}`, on, type });
    const named = key === field.name ? field.name : `${key}: ${field.name}`;
    const below = isCompositeType(inner) ? ` ${generateSelections(inner, depth - 1, `${place}.${key}`)}` : '';
    return `${named}${given}${directives()}${below}`;
  }

  function generateTypename(on: GraphQLCompositeType, place: string): string {
    const key = keyOf(place, pick(3) === 0 ? chosen(['a', 'kind']) : '__typename', { field: '__typename', on, type: 'String!' });
    return `${key === '__typename' ? '' : `${key}: `}__typename${directives()}`;
  }

  /** A possible type condition for a fragment. */
  function conditionOf(type: GraphQLCompositeType): GraphQLCompositeType {
    const possible = new Set(isObjectType(type) ? [type] : schema.getPossibleTypes(type));
    const others = Object.values(schema.getTypeMap()).filter(
      (other) => isAbstractType(other) && schema.getPossibleTypes(other).some((each) => possible.has(each)),
    );
    return chosen([type, ...possible, ...possible, ...(others as GraphQLCompositeType[])]);
  }

  function generateFragment(type: GraphQLCompositeType, depth: number, place: string): string {
    if (pick(2) === 0) {
      const on = pick(4) === 0 ? null : conditionOf(type);
      return `...${on === null ? '' : ` on ${on.name}`}${directives()} ${generateSelections(on ?? type, depth, place)}`;
    }
    const old = fragments.filter(({ on }) => on === type.name);
    if (old.length > 0 && pick(2) === 0) return `...${chosen(old).name}${directives()}`;
    const on = conditionOf(type);
    const text = generateSelections(on, depth, place);
    const fragment = { name: `F${fragments.length}`, on: on.name, text };
    fragments.push(fragment);
    return `...${fragment.name}${directives()}`;
  }

  function generateSelections(type: GraphQLCompositeType, depth: number, place: string): string {
    const all = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const open = depth > 1 && fields < bounds.fields;
    const possible = all.filter((field) => open || !isCompositeType(getNamedType(field.type)));
    const selections = Array.from({ length: 1 + pick(fields < bounds.fields ? selectionsMax : 1) }, () => {
      const way = pick(12);
      if (possible.length === 0 || way === 0)
        return open && isAbstractType(type) && way > 2 ? generateFragment(type, depth - 1, place) : generateTypename(type, place);
      if (open && way < 4) return generateFragment(type, depth - 1, place);
      return generateField(type, chosen(possible), depth, place);
    });
    return `{ ${selections.join(' ')} }`;
  }

  function generateRoot(): string {
    const mutation = schema.getMutationType();
    const changes = mutation !== undefined && mutation !== null && pick(4) === 0;
    const type = changes ? mutation : schema.getQueryType();
    if (type === undefined || type === null) throw new Error('The schema has no Query type.');
    const kind = changes ? 'mutation' : 'query';
    const set = generateSelections(type, bounds.depth, '');
    const more = !changes && pick(20) === 0 ? ` ${chosen(introspections)}` : '';
    const given = variables.definitions.length === 0 ? '' : `(${variables.definitions.join(', ')})`;
    const body = [
      `${kind} Operation${given} ${set.slice(0, -1)}${more} }`,
      ...fragments.map(({ name, on, text }) => `fragment ${name} on ${on} ${text}`),
    ];
    return body.join('\n');
  }

  const text = generateRoot();
  return { text, variables: variables.values };
}
