/** The moderation queue of organizations: unverified, changed since their verification, or suspended. */
import { Stack, Text } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { ExternalLink } from '../../components/external-link.tsx';
import { OrganizationLink } from '../../components/links.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { OrganizationQueueQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { organizationDecisions } from './organization-decisions.ts';
import { createQueue } from './queue.tsx';
import { TitleCell, VerificationCell } from './review-cells.tsx';
import { changedSinceVerification, needsReview, suspended } from './review-views.ts';

const organizationsQuery = graphql(`
  query OrganizationQueue($after: String, $filter: OrganizationFilter) {
    organizations(first: 50, after: $after, sort: CREATED_AT_ASC, filter: $filter) {
      nodes {
        id
        name
        legalName
        type
        country
        city
        website
        emailDomain
        licenceNumber
        licenceBody
        sports
        status
        createdAt
        verification {
          status
          method
          at
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Organization = NonNullable<OrganizationQueueQuery['organizations']>['nodes'][number];

const Evidence = ({ website, emailDomain, licenceNumber, licenceBody }: Organization) => (
  <Stack gap={2}>
    {website !== null && <ExternalLink url={website} />}
    {emailDomain !== null && <span>Email domain: {emailDomain}</span>}
    {licenceNumber !== null && (
      <span>
        License: {licenceNumber} {licenceBody}
      </span>
    )}
    {website === null && emailDomain === null && licenceNumber === null && <Text c="dimmed">None</Text>}
  </Stack>
);

export const OrganizationsQueue = createQueue({
  label: 'Organizations',
  hasSearch: true,
  document: organizationsQuery,
  views: [needsReview, changedSinceVerification, suspended],
  pageOf: ({ organizations }) => organizations,
  columns: [
    {
      title: 'Organization',
      cell: ({ id, name, legalName, type }) => (
        <TitleCell
          title={<OrganizationLink id={id} name={name} />}
          subtitle={[enumLabel(type), legalName].filter(Boolean).join(', ')}
        />
      ),
    },
    { title: 'Location', cell: ({ city, country }) => [city, country].filter(Boolean).join(', ') },
    { title: 'Sports', cell: ({ sports }) => sports.map(enumLabel).join(', ') },
    { title: 'Evidence', cell: (organization) => <Evidence {...organization} /> },
    { title: 'Verification', cell: ({ verification }) => <VerificationCell {...verification} /> },
    { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  ],
  subjectOf: ({ id, name }) => ({ id, name }),
  decisionsOf: organizationDecisions,
});
