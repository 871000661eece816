/** Checks of GraphQL documents by the router, which knows the public schema and its limits. */
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';
import type { DocumentChecksQuery } from './generated/graphql.ts';

const documentChecks = graphql(`
  query documentChecks($texts: [String!]!) {
    documentChecks(texts: $texts) {
      operationName
      error {
        code
        detail
        violations
      }
    }
  }
`);

export type DocumentCheck = NonNullable<DocumentChecksQuery['documentChecks']>[number];

/** Documents per call: their texts as JSON are below the body limit of internal queries. */
const chunkSize = 5;

/** Whether the router would run the documents, in their order. Throws Problem upstream_unavailable. */
export async function checkDocuments({ graph }: Pick<Context, 'graph'>, texts: readonly string[]): Promise<DocumentCheck[]> {
  const checks: DocumentCheck[] = [];
  for (let start = 0; start < texts.length; start += chunkSize) {
    const data = await graph(documentChecks, { texts: texts.slice(start, start + chunkSize) });
    checks.push(...(data.documentChecks ?? []));
  }
  return checks;
}
