/** Generates argument values: literals and variables of every input type. */
import { getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredInputField } from 'graphql';
import type { GraphQLArgument, GraphQLInputType } from 'graphql';

/** Picks a number from 0 to `count` - 1. The only source of randomness of the generators. */
export type Pick = (count: number) => number;

/** The variables of an operation that is being generated. */
export interface Variables {
  readonly definitions: string[];
  readonly values: Record<string, unknown>;
  /** Adds a variable of a type with a value, a default, or neither when it is optional. */
  declare(type: GraphQLInputType): string;
  /** A boolean variable for a condition: an existing one or a new one. */
  condition(): string;
  /** The value of an argument in GraphQL syntax. */
  literal(type: GraphQLInputType, depth?: number): string;
  /** The arguments of a field in parentheses; empty without arguments. */
  given(args: readonly GraphQLArgument[]): string;
}

const texts = ['', 'a', 'ä "quoted" \\ text', 'line\nbreak', '7'];
const integers = [0, 1, 2, 20, -3];

export function createVariables(pick: Pick): Variables {
  const definitions: string[] = [];
  const values: Record<string, unknown> = {};
  const conditions: string[] = [];
  const chosen = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;

  /** As JSON; `literal` distinguishes enum values from strings. */
  function json(type: GraphQLInputType, depth: number): unknown {
    if (!isNonNullType(type) && pick(6) === 0) return null;
    const bare = getNullableType(type);
    if (isListType(bare)) return Array.from({ length: pick(3) }, () => json(bare.ofType, depth - 1));
    if (isEnumType(bare)) return chosen(bare.getValues()).name;
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields()).filter(
        (field) => isRequiredInputField(field) || (depth > 0 && pick(3) === 0),
      );
      return Object.fromEntries(fields.map((field) => [field.name, json(field.type, depth - 1)]));
    }
    if (isListType(bare)) return [];
    if (bare.name === 'Int') return chosen(integers);
    if (bare.name === 'Float') return chosen([...integers, 1.5]);
    if (bare.name === 'Boolean') return pick(2) === 0;
    return chosen(texts);
  }

  function textOf(type: GraphQLInputType, value: unknown): string {
    const bare = getNullableType(type);
    if (value === null) return 'null';
    if (isListType(bare) && Array.isArray(value)) return `[${value.map((item) => textOf(bare.ofType, item)).join(', ')}]`;
    if (isEnumType(bare) && typeof value === 'string') return value;
    if (isInputObjectType(bare)) {
      const fields = bare.getFields();
      const members = Object.entries(value as Record<string, unknown>).flatMap(([name, member]) => {
        const field = fields[name];
        return field === undefined ? [] : [`${name}: ${textOf(field.type, member)}`];
      });
      return `{ ${members.join(', ')} }`;
    }
    return JSON.stringify(value);
  }

  function declare(type: GraphQLInputType): string {
    const name = `v${definitions.length}`;
    const value = json(type, 2);
    const way = pick(4);
    if (way === 0 && value !== null) {
      definitions.push(`$${name}: ${String(getNullableType(type))} = ${textOf(type, value)}`);
      if (pick(2) === 0) {
        const other = json(type, 2);
        if (other !== null) values[name] = other;
      }
    } else {
      definitions.push(`$${name}: ${String(type)}`);
      if (way !== 1 || isNonNullType(type)) values[name] = value;
    }
    return `$${name}`;
  }

  function literal(type: GraphQLInputType, depth = 2): string {
    if (pick(4) === 0) return declare(type);
    const bare = getNullableType(type);
    if (isListType(bare) && pick(2) === 0) return `[${literal(bare.ofType, depth - 1)}]`;
    if (!isInputObjectType(bare) || depth <= 0) return textOf(type, json(type, depth));
    const members = Object.values(bare.getFields()).flatMap((field) =>
      isRequiredInputField(field) || pick(4) === 0 ? [`${field.name}: ${literal(field.type, depth - 1)}`] : [],
    );
    return `{ ${members.join(', ')} }`;
  }

  return {
    definitions,
    values,
    declare,
    literal,
    condition() {
      if (conditions.length > 0 && pick(3) !== 0) return chosen(conditions);
      const name = `c${definitions.length}`;
      const value = pick(2) === 0;
      const way = pick(3);
      definitions.push(way === 0 ? `$${name}: Boolean = ${value}` : `$${name}: Boolean!`);
      if (way !== 0 || pick(2) === 0) values[name] = way === 0 ? pick(2) === 0 : value;
      conditions.push(`$${name}`);
      return `$${name}`;
    },
    given(args) {
      const written = args.flatMap((arg) => {
        const required = isNonNullType(arg.type) && arg.defaultValue === undefined;
        return required || pick(3) === 0 ? [`${arg.name}: ${literal(arg.type)}`] : [];
      });
      return written.length === 0 ? '' : `(${written.join(', ')})`;
    },
  };
}
