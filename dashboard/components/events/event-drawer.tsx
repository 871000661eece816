/** The drawer with an event as JSON, as the person can read it now. */
import { Anchor, Drawer, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { EventQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CodeBlock } from '../code-block.tsx';
import { CopyableId } from '../copyable-id.tsx';
import { DescriptionList } from '../description-list.tsx';
import { EmptyState } from '../empty-state.tsx';
import { enumLabel } from '../enum-label.ts';
import { QueryResult } from '../query-result.tsx';
import { Timestamp } from '../timestamp.tsx';
import type { ResourceName } from './event-table.tsx';
import { typeDescription } from './event-types.ts';

const eventQuery = graphql(`
  query Event($id: ID!) {
    event(id: $id) {
      id
      type
      timestamp
      apiVersion
      sequence
      resource {
        type
        id
        version
      }
      data {
        type
        id
        deleted
        representation
      }
    }
  }
`);

type EventDetails = NonNullable<EventQuery['event']>;

interface EventDrawerProps {
  /** Null while the drawer is closed. */
  readonly id: string | null;
  readonly close: () => void;
  readonly resource: ResourceName;
}

export const EventDrawer = ({ id, close, resource }: EventDrawerProps) => (
  <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Event">
    {id !== null && <Details id={id} resource={resource} />}
  </Drawer>
);

interface DetailsProps {
  readonly id: string;
  readonly resource: ResourceName;
}

function Details({ id, resource }: DetailsProps) {
  const query = useGraphQuery(eventQuery, { id });
  return (
    <QueryResult query={query} name="event">
      {({ event }) =>
        event === null ? (
          <EmptyState title="Event not found">Events are retained for 30 days.</EmptyState>
        ) : (
          <Event event={event} resource={resource} />
        )
      }
    </QueryResult>
  );
}

function Event({ event, resource: Name }: { readonly event: EventDetails; readonly resource: ResourceName }) {
  const { id, type, timestamp, sequence, resource, data } = event;
  return (
    <Stack>
      <Text fw={600}>{typeDescription(type) ?? type}</Text>
      <DescriptionList
        items={[
          ['Time', <Timestamp key="time" at={timestamp} seconds />],
          ['Type', type],
          ['Sequence', sequence],
          ['Event ID', <CopyableId key="id" label="event ID" id={id} />],
          ['Resource type', enumLabel(resource.type)],
          ['Resource ID', <Name key="resource" type={resource.type} id={resource.id} />],
          ['Version', resource.version],
        ]}
      />
      <Anchor renderRoot={(props) => <Link to="/events" search={{ resource: resource.id }} {...props} />}>
        All events of this resource
      </Anchor>
      {data === null && <Text c="dimmed">This event contains IDs only. Accounts read the resource by its ID.</Text>}
      <CodeBlock label="Event with the current representation" text={JSON.stringify(event)} />
    </Stack>
  );
}
