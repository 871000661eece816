/** The organizations that nobody verified, or whose name changed since, and those that are suspended. */
import { Stack, Text } from '@mantine/core';
import type { OrganizationFilter, WaitingOrganizationsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Moment } from '../../parts/moment.tsx';
import { said } from '../../parts/status-badge.tsx';
import type { Decision } from './decision-dialog.tsx';
import { QueueTable } from './queue-table.tsx';
import type { QueueProps } from './queue-names.ts';
import { OutsideLink, Verification, WaitsFilter, chosenOf, type Waits } from './waits.tsx';

const waitingQuery = graphql(`
  query WaitingOrganizations($after: String, $filter: OrganizationFilter) {
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

const verify: Decision = {
  verb: 'Verify',
  said: 'Verified',
  asks: 'How it was verified',
  document: graphql(`
    mutation VerifyOrganization($id: ID!, $words: String) {
      verifyOrganization(id: $id, method: $words) {
        id
      }
    }
  `),
};

const reject: Decision = {
  verb: 'Reject',
  said: 'Rejected',
  asks: 'Why',
  document: graphql(`
    mutation RejectOrganization($id: ID!, $words: String) {
      rejectOrganization(id: $id, reason: $words) {
        id
      }
    }
  `),
};

export const suspendOrganization: Decision = {
  verb: 'Suspend',
  said: 'Suspended',
  hides: 'Nobody but its owner sees the organization any more, until a moderator reinstates it.',
  document: graphql(`
    mutation SuspendOrganization($id: ID!, $words: String) {
      suspendOrganization(id: $id, reason: $words) {
        id
      }
    }
  `),
};

const reinstate: Decision = {
  verb: 'Reinstate',
  said: 'Reinstated',
  document: graphql(`
    mutation ReinstateOrganization($id: ID!) {
      reinstateOrganization(id: $id) {
        id
      }
    }
  `),
};

type Organization = NonNullable<WaitingOrganizationsQuery['organizations']>['nodes'][number];

const columns: readonly Column<Organization>[] = [
  {
    title: 'Organization',
    cell: ({ name, legalName }) => (
      <>
        <Text inherit fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {legalName ?? 'No legal name'}
        </Text>
      </>
    ),
  },
  { title: 'Kind and place', cell: ({ type, city, country }) => [said(type), city, country].filter(Boolean).join(', ') },
  { title: 'Sports', cell: ({ sports }) => sports.map(said).join(', ') },
  {
    title: 'Proof',
    cell: ({ website, emailDomain, licenceNumber, licenceBody }) => (
      <Stack gap={2}>
        {website !== null && <OutsideLink url={website} />}
        {emailDomain !== null && <span>Mail: {emailDomain}</span>}
        {licenceNumber !== null && (
          <span>
            Licence: {licenceNumber} {licenceBody}
          </span>
        )}
        {website === null && emailDomain === null && licenceNumber === null && <Text c="dimmed">None was given</Text>}
      </Stack>
    ),
  },
  { title: 'Verification', cell: ({ verification }) => <Verification {...verification} /> },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const waits: Waits<OrganizationFilter> = {
  all: { label: 'All that wait', filter: { status: ['ACTIVE'], verification: ['PENDING', 'UNVERIFIED'] } },
  changed: { label: 'Changed since they were verified', filter: { status: ['ACTIVE'], verification: ['PENDING'] } },
  suspended: { label: 'Suspended', filter: { status: ['SUSPENDED'] } },
};

export function OrganizationsQueue({ after, waits: chosen, mayDecide }: QueueProps) {
  const waiting = useAsk(waitingQuery, { after, filter: chosenOf(waits, chosen) });
  return (
    <>
      <ListTools>
        <WaitsFilter waits={waits} value={chosen} />
      </ListTools>
      <Answered of={waiting} name="organizations that wait">
        {({ organizations: page }) => (
          <QueueTable
            label="Organizations that wait"
            columns={columns}
            rows={page?.nodes ?? []}
            pageInfo={page?.pageInfo}
            about={({ id, name }) => ({ id, name })}
            decisions={({ status }) => {
              if (!mayDecide) return [];
              return status === 'SUSPENDED' ? [reinstate] : [verify, reject, suspendOrganization];
            }}
          />
        )}
      </Answered>
    </>
  );
}
