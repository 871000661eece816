/** One incident: its facts, its updates and its history. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import type { IncidentQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { History } from '../../components/history.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useHasScope } from '../../session/session.ts';
import { componentTitles } from './incident-fields.tsx';
import { AddIncidentUpdate, EditIncident } from './incident-forms.tsx';

const incidentQuery = graphql(`
  query Incident($id: ID!) {
    incident(id: $id) {
      id
      version
      title
      impact
      status
      components
      startedAt
      endsAt
      resolvedAt
      updates {
        at
        status
        text
      }
    }
  }
`);

export type IncidentDetails = NonNullable<IncidentQuery['incident']>;

const route = getRouteApi('/signed-in/incidents/$id');

export function Incident() {
  const { id } = route.useParams();
  const canWrite = useHasScope('administration:write');
  const query = useGraphQuery(incidentQuery, { id });
  const incident = query.data?.incident;
  return (
    <Screen
      title={incident?.title ?? 'Incident'}
      actions={incident && (canWrite ? <Actions incident={incident} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="incident">
        {({ incident: found }) => (found === null ? <EmptyState title="Incident not found" /> : <Details incident={found} />)}
      </QueryResult>
      {incident && <History resourceType="incident" resourceId={incident.id} />}
    </Screen>
  );
}

const Details = ({ incident }: { readonly incident: IncidentDetails }) => (
  <Stack gap="lg">
    <Section title="Details">
      <DescriptionList
        items={[
          ['Status', <StatusBadge key="status" status={incident.status} />],
          ['Impact', enumLabel(incident.impact)],
          ['Components', componentTitles(incident.components)],
          ['Start', <Timestamp key="start" at={incident.startedAt} />],
          ['Planned end', incident.endsAt && <Timestamp key="end" at={incident.endsAt} />],
          ['Resolved', incident.resolvedAt && <Timestamp key="resolved" at={incident.resolvedAt} />],
        ]}
      />
    </Section>
    <Section title="Updates">
      {incident.updates.map(({ at, status, text }) => (
        <div key={at}>
          <Group gap="xs">
            <StatusBadge status={status} />
            <Timestamp at={at} />
          </Group>
          <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>
        </div>
      ))}
    </Section>
  </Stack>
);

function Actions({ incident }: { readonly incident: IncidentDetails }) {
  const [isAdding, adding] = useDisclosure(false);
  const [isEditing, editing] = useDisclosure(false);
  return (
    <Group gap="xs">
      <Button variant="default" onClick={editing.open}>
        Edit
      </Button>
      <Button onClick={adding.open}>Add update</Button>
      <EditIncident incident={incident} opened={isEditing} close={editing.close} />
      <AddIncidentUpdate incident={incident} opened={isAdding} close={adding.close} />
    </Group>
  );
}
