/** Builds an executable schema from printed SDL, with the scalar checks of schema/scalars.ts. */
import { buildASTSchema, GraphQLError, isScalarType, parse, valueFromASTUntyped } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { scalars } from './scalars.ts';
import type { ScalarRow } from './scalars.ts';

/** Builds the schema of a printed SDL file; a literal or variable that a scalar does not accept is a GraphQLError. */
export function executableSchema(sdl: string): GraphQLSchema {
  const schema = buildASTSchema(parse(sdl, { noLocation: true }), { assumeValidSDL: true });
  for (const [name, row] of Object.entries<ScalarRow>(scalars)) {
    const type = schema.getType(name);
    if (!isScalarType(type)) continue;
    type.parseValue = (value) => {
      if (!row.accepts(value)) throw new GraphQLError(`${name} cannot represent ${JSON.stringify(value)}. ${row.description}`);
      return value;
    };
    type.parseLiteral = (node, variables) => type.parseValue(valueFromASTUntyped(node, variables));
  }
  return schema;
}
