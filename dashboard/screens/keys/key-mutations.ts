/** The mutations that take API keys out of service, for one key and for several. */
import { graphql } from '../../graph/graphql.ts';

export const disableMutation = graphql(`
  mutation DisableApiKey($id: ID!, $reason: String) {
    disableApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);
export const revokeMutation = graphql(`
  mutation RevokeApiKey($id: ID!, $reason: String) {
    revokeApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);
