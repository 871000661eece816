/** The names of the API keys of the account, for filters and charts. */
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';

const namesQuery = graphql(`
  query OwnKeyNames {
    ownKeys(first: 100) {
      nodes {
        id
        name
        publicId
      }
    }
  }
`);

/** `website (sp_live_4f…)` by public ID, newest first: the name alone can occur twice, for example after a rotation. */
export function useOwnKeyNames(): ReadonlyMap<string, string> {
  const nodes = useGraphQuery(namesQuery, {}).data?.ownKeys?.nodes ?? [];
  return new Map(nodes.map(({ name, publicId }) => [publicId, `${name} (${publicId})`]));
}
