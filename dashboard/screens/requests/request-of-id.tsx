/** The details of a request, with its API key and account. */
import { KeyLink, AccountLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { RequestDetails, RequestNotFound } from '../../components/requests/request-details.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const requestQuery = graphql(`
  query LoggedRequest($id: ID!) {
    request(id: $id) {
      id
      at
      key
      api
      method
      path
      operation
      documentHash
      area
      status
      errorCode
      errorPointers
      durationMs
      units
      requestId
      network
      userAgent
      account {
        id
        name
      }
      apiKey {
        id
        name
      }
    }
  }
`);

export function RequestOfId({ id }: { readonly id: string }) {
  const query = useGraphQuery(requestQuery, { id });
  return (
    <QueryResult query={query} name="request">
      {({ request }) => {
        if (request === null) return <RequestNotFound />;
        const { apiKey, account } = request;
        const owner = [
          ['API key', apiKey && <KeyLink key="key" {...apiKey} />],
          ['Account', account && <AccountLink key="account" {...account} />],
        ] as const;
        return <RequestDetails request={request} owner={owner} />;
      }}
    </QueryResult>
  );
}
