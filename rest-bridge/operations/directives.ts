/** What a REST operation may say about itself; these directives never leave the bridge. */
import { extendSchema, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';

const definitions = /* GraphQL */ `
  "Makes an operation a REST route. The path is relative to the major: \`/athletes/{id}\`; \`status\` is that of success; \`redirects\`: the resource may have been merged into another one (308)."
  directive @rest(method: RestMethod! = GET, path: String!, status: Int! = 200, redirects: Boolean! = false) on QUERY | MUTATION

  "A member of the resource that an answer holds only when \`include=\` (or \`fields=\`) names it."
  directive @optional on FIELD

  enum RestMethod {
    GET
    POST
    PUT
    PATCH
    DELETE
  }
`;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schema that annotated operations are written against. */
export function withRestDirectives(apiSchema: GraphQLSchema): GraphQLSchema {
  return extendSchema(apiSchema, parse(definitions));
}
