/** Which accounts are active, read from the accounts area: nothing runs for an account that is suspended or closed. */
import type { Graph } from '../../schema/entry-point.ts';
import { graphql } from './graphql.ts';

const activeAccountsQuery = graphql(`
  query activeAccounts($ids: [ID!]!) {
    activeAccountIds(ids: $ids)
  }
`);

/** The active ones of up to 1,000 accounts. @param graph of the platform: other viewers are rejected */
export async function fetchActiveAccounts(graph: Graph, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Set();
  return new Set((await graph(activeAccountsQuery, { ids: wanted })).activeAccountIds ?? []);
}
