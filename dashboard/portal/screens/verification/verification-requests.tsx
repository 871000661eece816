/** The requests of the account for the verification of organizations, with the decisions of the operator. */
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumOptions } from '../../../components/enum-label.ts';
import { ExternalLink } from '../../../components/external-link.tsx';
import { ChoiceFilter, ListFilters } from '../../../components/list-filters.tsx';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { useHasScope } from '../../../session/session.ts';
import type { OwnVerificationRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { Decision, Requested, RequestText } from '../partner-requests/decision.tsx';
import { requestStatuses } from '../partner-requests/partner-requests-search.ts';
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

const actions: Column<Request> = {
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
  const canRequest = useHasScope('requests:write');
  return (
    <Section title="Requests">
      <ListFilters label="Filters of requests">
        <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(requestStatuses)} />
      </ListFilters>
      <QueryResult query={requests} name="requests" lines={3}>
        {({ verificationRequests: page }) => (
          <DataTable
            label="Requests"
            columns={canRequest ? [...columns, actions] : columns}
            rows={page?.nodes ?? []}
            rowKey={({ id }) => id}
            pageInfo={page?.pageInfo}
            empty={
              status === undefined ? (
                <EmptyState title="No requests yet">
                  {canRequest
                    ? 'Request the verification of an organization above.'
                    : 'An owner of the account requests a verification.'}
                </EmptyState>
              ) : (
                <NoMatches title="No matching requests" />
              )
            }
          />
        )}
      </QueryResult>
    </Section>
  );
}
