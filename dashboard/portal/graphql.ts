/** Marks the GraphQL documents of the portal, as `graph/graphql.ts` does for the dashboard. Their types are those of the graph of the portal. */
import type { graphql as typed } from './generated/gql.ts';

// a cast: the generated function has the same signature, but imports the documents of all screens
export const graphql = ((text: string) => text) as unknown as typeof typed;
