/** Marks the GraphQL documents of the screens. `npm run schema` generates their types, which are erased from the bundle. */
import type { graphql as typed } from '../generated/gql.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';

/** A document with the types of its data and its variables. */
export type Document<Data, Variables> = Pick<TypedDocumentString<Data, Variables>, '__apiType' | 'toString'>;

// a cast: the generated function has the same signature, but imports the documents of all screens
export const graphql = ((text: string) => text) as unknown as typeof typed;
