/** The directives that make a GraphQL operation a REST route; they are removed from the documents that the router executes. */
import { extendSchema, getDirectiveValues, parse } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { isOneOf } from '../../schema/records.ts';

const definitions = /* GraphQL */ `
  "Serves an operation as a REST route. \`path\` is relative to the major version: \`/athletes/{id}\`. \`status\` is the status of a success. \`redirects\`: the resource may have been merged into another one (308). \`notFound\`: what the response says if there is no resource (404)."
  directive @rest(
    method: RestMethod! = GET
    path: String!
    status: Int! = 200
    redirects: Boolean! = false
    notFound: String
  ) on QUERY | MUTATION

  "A member of the resource that a response contains only when \`include=\` (or \`fields=\`) names it."
  directive @optional on FIELD

  "Adds all scalar and enum fields of the type that the fragment and the fragments that it spreads do not select."
  directive @scalars on FRAGMENT_DEFINITION

  "Offers a read to assistants as a tool of the Model Context Protocol, named after the operation (docs/mcp.md)."
  directive @tool on QUERY

  enum RestMethod {
    GET
    POST
    PUT
    PATCH
    DELETE
  }
`;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof methods)[number];

/** The arguments of @rest. */
export interface Rest {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly redirects: boolean;
  /** The detail of a 404. */
  readonly notFound: string | null;
}

/** Whether an operation has the directive @tool. */
export const isTool = ({ directives }: OperationDefinitionNode): boolean =>
  directives?.some(({ name }) => name.value === 'tool') ?? false;

/** The schema that annotated operations are written against. */
export function withRestDirectives(apiSchema: GraphQLSchema): GraphQLSchema {
  return extendSchema(apiSchema, parse(definitions));
}

/** The @rest directive of an operation, with defaults applied; null without one. */
export function restOf(schema: GraphQLSchema, node: OperationDefinitionNode): Rest | null {
  const directive = schema.getDirective('rest');
  const values = directive ? getDirectiveValues(directive, node) : undefined;
  if (values === undefined) return null;
  const { method, path, status, redirects, notFound } = values;
  if (!isOneOf(methods, method)) throw new Error('@rest requires a method');
  return {
    method,
    path: String(path),
    status: Number(status),
    redirects: redirects === true,
    notFound: typeof notFound === 'string' ? notFound : null,
  };
}
