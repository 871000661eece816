/** The details of a request of the account. */
import { QueryResult } from '../../../components/query-result.tsx';
import { RequestDetails, RequestNotFound } from '../../../components/requests/request-details.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { KeyLink } from '../keys/key-link.tsx';

const requestQuery = graphql(`
  query OwnRequest($id: ID!) {
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
      {({ request }) =>
        request === null ? (
          <RequestNotFound />
        ) : (
          <RequestDetails request={request} owner={[['API key', request.apiKey && <KeyLink key="key" {...request.apiKey} />]]} />
        )
      }
    </QueryResult>
  );
}
