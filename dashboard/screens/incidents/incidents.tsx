/** The list of incidents and maintenance of the status page. */
import { Anchor, Button, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { IncidentsQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { ChoiceFilter, ListFilters } from '../../components/list-filters.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { CreateIncident } from './create-incident.tsx';
import { componentTitles } from './incident-fields.tsx';

const incidentsQuery = graphql(`
  query Incidents($after: String, $filter: IncidentFilter) {
    incidents(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        title
        impact
        status
        components
        startedAt
        resolvedAt
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Incident = NonNullable<IncidentsQuery['incidents']>['nodes'][number];

const columns: readonly Column<Incident>[] = [
  {
    title: 'Incident',
    cell: ({ id, title }) => (
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/incidents/$id" params={{ id }} {...props} />}>
        {title}
      </Anchor>
    ),
  },
  { title: 'Impact', cell: ({ impact }) => enumLabel(impact) },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Components', cell: ({ components }) => <Text inherit>{componentTitles(components)}</Text> },
  { title: 'Started', cell: ({ startedAt }) => <Timestamp at={startedAt} /> },
  { title: 'Resolved', cell: ({ resolvedAt }) => <Timestamp at={resolvedAt} /> },
];

const openChoices = [
  { value: 'YES', label: 'Open' },
  { value: 'NO', label: 'Resolved' },
];

const route = getRouteApi('/signed-in/incidents');

export function Incidents() {
  const { after = null, open } = route.useSearch();
  const incidents = useGraphQuery(incidentsQuery, { after, filter: open === undefined ? null : { open: open === 'YES' } });
  return (
    <Screen
      title="Incidents"
      description="Incidents and maintenance on the public status page."
      actions={
        <>
          <Button component="a" href="/status" variant="default" leftSection={<IconExternalLink size={16} />}>
            Status page
          </Button>
          <CreateButton label="Create incident" dialog={CreateIncident} />
        </>
      }
    >
      <div>
        <ListFilters>
          <ChoiceFilter name="open" label="State" value={open} choices={openChoices} />
        </ListFilters>
        <QueryResult query={incidents} name="incidents">
          {({ incidents: page }) => (
            <DataTable
              label="Incidents"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                <EmptyState title={open === undefined ? 'No incidents yet' : 'No matching incidents'}>
                  Create an incident to inform partners on the status page.
                </EmptyState>
              }
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}
