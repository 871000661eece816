/** The requests of the account for the verification of organizations, with the decisions of the operator. */
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { ExternalLink } from '../../../components/external-link.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnVerificationRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { Decision, Requested, RequestText } from '../partner-requests/decision.tsx';
import { RequestList } from '../partner-requests/request-list.tsx';
import { WithdrawRequest } from '../partner-requests/withdraw-request.tsx';

const requestsQuery = graphql(`
  query OwnVerificationRequests($after: String, $filter: VerificationRequestFilter) {
    verificationRequests(first: 20, after: $after, filter: $filter) {
      nodes {
        id
        createdAt
        organizationId
        organization {
          name
        }
        note
        links
        status
        reason
        decidedAt
        requestedBy
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const withdrawMutation = graphql(`
  mutation WithdrawVerificationRequest($id: ID!) {
    withdrawVerificationRequest(id: $id) {
      id
    }
  }
`);

type Request = NonNullable<OwnVerificationRequestsQuery['verificationRequests']>['nodes'][number];

const columns: readonly Column<Request>[] = [
  {
    title: 'Organization',
    cell: ({ organization, organizationId }) =>
      organization?.name ?? <CopyableId label="organization ID" id={organizationId} size="xs" />,
  },
  { title: 'Status and answer', cell: (request) => <Decision request={request} /> },
  {
    title: 'Note and documents',
    cell: ({ note, links }) => (
      <Stack gap={2}>
        {(note !== null || links.length === 0) && <RequestText text={note} />}
        {links.map((link) => (
          <Text key={link} component="div" size="sm">
            <ExternalLink url={link} />
          </Text>
        ))}
      </Stack>
    ),
  },
  { title: 'Requested', cell: (request) => <Requested request={request} /> },
];

const withdrawal: Column<Request> = {
  title: 'Actions',
  cell: ({ id, status, organization, organizationId }) =>
    status === 'OPEN' && (
      <WithdrawRequest id={id} name={`the request for ${organization?.name ?? organizationId}`} document={withdrawMutation} />
    ),
};

const route = getRouteApi('/signed-in/verification');

export function VerificationRequests() {
  const { after = null, status } = route.useSearch();
  const filter = status === undefined ? null : { status: [status] };
  const requests = useGraphQuery(requestsQuery, { after, filter }, { refetchEveryMs });
  return (
    <RequestList
      query={requests}
      pageOf={({ verificationRequests }) => verificationRequests}
      columns={columns}
      withdrawal={withdrawal}
      status={status}
      hint="Request the verification of an organization above."
      readOnlyHint="An owner of the account requests a verification."
    />
  );
}
