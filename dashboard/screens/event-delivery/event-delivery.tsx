/** The consumers of all areas: how far each is behind, and how many events it failed to apply. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { consumerStatus, eventConsumersQuery, waitingTime, type EventConsumer } from './event-consumers.ts';

const ConsumerLink = ({ area, name }: EventConsumer) => (
  <Anchor
    inherit
    underline="always"
    renderRoot={(props) => (
      <Link to="/event-delivery/$area/$consumer" params={{ area: area.toLowerCase(), consumer: name }} {...props} />
    )}
  >
    {name}
  </Anchor>
);

const columns: readonly Column<EventConsumer>[] = [
  { title: 'Area', cell: ({ area }) => enumLabel(area) },
  { title: 'Consumer', cell: ConsumerLink },
  { title: 'Status', cell: (consumer) => <StatusBadge status={consumerStatus(consumer)} /> },
  { title: 'Events of', cell: ({ publishedBy }) => enumLabel(publishedBy) },
  { title: 'Lag', cell: ({ lag }) => formatCount(lag), numeric: true },
  { title: 'Oldest waits for', cell: waitingTime, numeric: true },
  { title: 'Dead letters', cell: ({ deadLetters }) => formatCount(deadLetters), numeric: true },
  { title: 'Last applied', cell: ({ updatedAt }) => <Timestamp at={updatedAt} seconds fallback="Never" /> },
];

export function EventDelivery() {
  const consumers = useGraphQuery(eventConsumersQuery, {}, { refetchEveryMs });
  return (
    <Screen
      title="Event delivery"
      description="The consumers that apply the events of areas. Lag is the number of events that wait; a dead letter is an event that failed."
    >
      <QueryResult query={consumers} name="consumers">
        {({ eventConsumers }) => (
          <DataTable
            label="Consumers"
            columns={columns}
            rows={eventConsumers ?? []}
            rowKey={({ area, name }) => `${area} ${name}`}
            empty={<EmptyState title="No consumers">No area applies events.</EmptyState>}
          />
        )}
      </QueryResult>
    </Screen>
  );
}
