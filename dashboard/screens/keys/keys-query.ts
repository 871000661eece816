/** The query of the list of API keys, for its screen and its export. */
import type { ApiKeysQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const keysQuery = graphql(`
  query ApiKeys($first: Int! = 25, $after: String, $filter: ApiKeyFilter, $sort: ApiKeySort!) {
    apiKeys(first: $first, after: $after, filter: $filter, sort: $sort) {
      nodes {
        id
        name
        publicId
        mode
        status
        createdAt
        expiresAt
        lastUsedAt
        rotatedTo {
          id
          publicId
        }
        account {
          id
          name
          status
        }
        plan {
          code
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type ListedKey = NonNullable<ApiKeysQuery['apiKeys']>['nodes'][number];
