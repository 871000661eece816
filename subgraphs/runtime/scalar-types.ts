/** The custom scalars of the areas, created from schema/scalars.ts. */
import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { scalars, type ScalarRow } from '../../schema/scalars.ts';

function scalarType(name: string, row: ScalarRow): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    if (row.accepts(value)) return value;
    throw new GraphQLError(`Not a ${name}: ${row.description}`, { extensions: { code: 'validation_failed' } });
  };
  return new GraphQLScalarType({
    name,
    description: row.description,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  });
}

export const scalarTypes: Readonly<Record<string, GraphQLScalarType>> = Object.fromEntries(
  Object.entries(scalars).map(([name, row]) => [name, scalarType(name, row)]),
);
