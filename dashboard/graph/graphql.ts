/** `graphql` names what a screen asks: `npm run schema` makes its types, and nothing of what it makes is in the bundle. */
import type { graphql as typed } from '../generated/gql.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';

/** A document, with the types of its answer and its variables. */
export type Document<Data, Variables> = Pick<TypedDocumentString<Data, Variables>, '__apiType' | 'toString'>;

// the generated function looks the same text up in a table of all documents of all screens
export const graphql = ((text: string) => text) as unknown as typeof typed;
