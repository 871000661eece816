/** The organizations of the account with their verification, and buttons that request it. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumLabel } from '../../../components/enum-label.ts';
import { ListFilters, SearchBox } from '../../../components/list-filters.tsx';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { useHasScope } from '../../../session/session.ts';
import type { OwnOrganizationsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { RequestVerification } from './request-verification.tsx';

const organizationsQuery = graphql(`
  query OwnOrganizations($filter: OrganizationFilter) {
    organizations(first: 50, filter: $filter) {
      nodes {
        id
        name
        type
        status
        verification {
          status
        }
        moderationReason
      }
      pageInfo {
        nextCursor
      }
    }
    verificationRequests(first: 100, filter: { status: [OPEN] }) {
      nodes {
        organizationId
      }
    }
  }
`);

export type OwnOrganization = NonNullable<OwnOrganizationsQuery['organizations']>['nodes'][number];

const columns: readonly Column<OwnOrganization>[] = [
  {
    title: 'Organization',
    cell: ({ id, name }) => (
      <Stack gap={0} maw={360} miw={180}>
        <Text inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text component="div" size="xs" c="dimmed">
          <CopyableId label={`ID of ${name}`} id={id} size="xs" />
        </Text>
      </Stack>
    ),
  },
  { title: 'Type', cell: ({ type }) => enumLabel(type) },
  { title: 'Status', cell: ({ status }) => enumLabel(status) },
  {
    title: 'Verification',
    cell: ({ verification, moderationReason }) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge status={verification.status} />
        {moderationReason !== null && (
          <Text size="xs" miw={160} maw={280} style={{ overflowWrap: 'anywhere' }}>
            {moderationReason}
          </Text>
        )}
      </Stack>
    ),
  },
];

const route = getRouteApi('/signed-in/verification');

export function OwnOrganizations() {
  const { q } = route.useSearch();
  const organizations = useGraphQuery(organizationsQuery, { filter: { mine: true, ...(q !== undefined && { q }) } });
  const canRequest = useHasScope('requests:write');
  const [requested, setRequested] = useState<OwnOrganization | null>(null);
  const open = new Set(organizations.data?.verificationRequests?.nodes.map(({ organizationId }) => organizationId));
  const actions: Column<OwnOrganization> = {
    title: 'Actions',
    cell: (organization) => {
      if (organization.verification.status === 'VERIFIED') return null;
      if (open.has(organization.id)) return 'Requested';
      return (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Request verification of ${organization.name}`}
          onClick={() => setRequested(organization)}
        >
          Request verification
        </Button>
      );
    },
  };
  return (
    <Section title="Organizations of the account">
      <ListFilters label="Filters of organizations">
        <SearchBox label="Name" value={q} />
      </ListFilters>
      <QueryResult query={organizations} name="organizations" lines={3}>
        {({ organizations: page }) => (
          <Stack gap="xs">
            <DataTable
              label="Organizations"
              columns={canRequest ? [...columns, actions] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              empty={q === undefined ? <NoOrganizations /> : <NoMatches title="No matching organizations" />}
            />
            {page?.pageInfo.nextCursor != null && (
              <Text size="sm" c="dimmed">
                These are the newest 50 organizations. Search by name to find others.
              </Text>
            )}
          </Stack>
        )}
      </QueryResult>
      <RequestVerification organization={requested} close={() => setRequested(null)} />
    </Section>
  );
}

const NoOrganizations = () => (
  <EmptyState
    title="No organizations yet"
    action={
      <Anchor href="/docs" underline="always">
        Open the REST API reference
      </Anchor>
    }
  >
    Create an organization with an API key that has the scope organizations:write.
  </EmptyState>
);
