/** One request for the verification of an organization: its facts, links to documents, history, and the decisions. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { VerificationRequestQuery } from '../../generated/graphql.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExternalLink } from '../../components/external-link.tsx';
import { History } from '../../components/history.tsx';
import { OrganizationLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation, useGraphQuery } from '../../graph/operations.ts';
import { useHasScope } from '../../session/session.ts';
import { VerificationCell } from '../moderation/review-cells.tsx';
import { RequestDecision } from './request-decision.tsx';
import { RequestDetails } from './request-details.tsx';

const verificationRequestQuery = graphql(`
  query VerificationRequest($id: ID!) {
    verificationRequest(id: $id) {
      id
      createdAt
      organizationId
      organization {
        id
        name
        verification {
          status
          method
          at
        }
      }
      note
      links
      status
      reason
      decidedAt
      requestedBy
      decidedBy {
        name
      }
      account {
        id
        name
      }
    }
  }
`);

const grantMutation = graphql(`
  mutation GrantVerificationRequest($id: ID!, $reason: String) {
    grantVerificationRequest(id: $id, reason: $reason) {
      id
    }
  }
`);

const declineMutation = graphql(`
  mutation DeclineVerificationRequest($id: ID!, $reason: String!) {
    declineVerificationRequest(id: $id, reason: $reason) {
      id
    }
  }
`);

type Request = NonNullable<VerificationRequestQuery['verificationRequest']>;

interface RequestProps {
  readonly request: Request;
}

const route = getRouteApi('/signed-in/partner-requests/verifications/$id');

const isVerified = ({ organization }: Request): boolean => organization?.verification.status === 'VERIFIED';

export function VerificationRequest() {
  const { id } = route.useParams();
  const query = useGraphQuery(verificationRequestQuery, { id });
  const request = query.data?.verificationRequest;
  const canDecide = useHasScope('moderation:write');
  return (
    <Screen
      title={request ? `Verification request: ${request.organization?.name ?? request.organizationId}` : 'Verification request'}
      description={request && <StatusBadge status={request.status} />}
      actions={request?.status === 'OPEN' && (canDecide ? <Decisions request={request} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="request">
        {({ verificationRequest: found }) =>
          found === null ? (
            <EmptyState title="Request not found" />
          ) : (
            <Stack gap="lg">
              {canDecide && found.status === 'OPEN' && !isVerified(found) && <VerifyFirst request={found} />}
              <Details request={found} />
              <Documents request={found} />
            </Stack>
          )
        }
      </QueryResult>
      {request && <History resourceType="verification_request" resourceId={id} />}
    </Screen>
  );
}

/** A request can be granted when its organization is verified. */
const VerifyFirst = ({ request: { organization } }: RequestProps) =>
  organization === null ? (
    <Alert icon={<IconInfoCircle />} title="The organization was removed">
      Decline the request with a reason.
    </Alert>
  ) : (
    <Alert icon={<IconInfoCircle />} title="Verify the organization first">
      <Stack gap="xs" align="flex-start">
        <Text inherit>
          Check the documents and the organization. The request can be granted when the organization is verified.
        </Text>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/moderation/organizations/$id" params={{ id: organization.id }} {...props} />}
        >
          Open organization
        </Button>
      </Stack>
    </Alert>
  );

const Details = ({ request }: RequestProps) => {
  const { organization, organizationId } = request;
  return (
    <RequestDetails
      request={request}
      items={[
        [
          'Organization',
          organization === null ? (
            `${organizationId} (removed)`
          ) : (
            <OrganizationLink key="organization" id={organization.id} name={organization.name} />
          ),
        ],
        ['Verification', organization && <VerificationCell key="verification" {...organization.verification} />],
      ]}
    />
  );
};

const Documents = ({ request: { links } }: RequestProps) => (
  <Section title="Links to documents">
    <Text c="dimmed">
      {links.length === 0
        ? 'The account entered no links.'
        : 'The account entered these links. The platform does not check them.'}
    </Text>
    {links.map((url) => (
      <ExternalLink key={url} url={url} isComplete />
    ))}
  </Section>
);

function Decisions({ request }: RequestProps) {
  const { id, account } = request;
  const grant = useGraphMutation(grantMutation, { successMessage: 'Request granted' });
  const decline = useGraphMutation(declineMutation, { successMessage: 'Request declined' });
  return (
    <>
      <RequestDecision
        verb="Decline"
        isPending={decline.isPending}
        decide={(reason, close) => decline.mutate({ id, reason: reason ?? '' }, { onSuccess: close })}
      >
        <Text>The verification of the organization does not change.</Text>
      </RequestDecision>
      {isVerified(request) && (
        <RequestDecision
          verb="Grant"
          isPending={grant.isPending}
          decide={(reason, close) => grant.mutate({ id, reason }, { onSuccess: close })}
        >
          <Text>The organization is verified. {account.name} reads that the request was granted.</Text>
        </RequestDecision>
      )}
    </>
  );
}
