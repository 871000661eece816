/** The plan, the limits and the scopes of new API keys. */
import { graphql } from '../../graphql.ts';

export const allowanceQuery = graphql(`
  query KeyAllowance {
    keyAllowance {
      liveKeys
      liveKeysMax
      scopes
      plan {
        code
        name
        writes
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
    }
  }
`);
