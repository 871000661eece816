/** Declares the queries with which areas read one another. `npm run schema` generates the types of their responses and variables. */
import type { graphql as typed } from './generated/gql.ts';

/** The query as a document with types. Names of queries are unique across the areas. */
// Cast: the generated function looks the text up in a table of all documents; only its types are used.
export const graphql = ((text: string) => text) as unknown as typeof typed;
