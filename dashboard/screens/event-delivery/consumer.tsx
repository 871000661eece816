/** One consumer: its lag, and its dead letters with retries. */
import { Button, Code } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Area, DeadLettersQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useWatch } from '../../components/use-watch.ts';
import { useHasScope } from '../../session/session.ts';
import { areas } from '../../components/areas.ts';
import { consumerStatus, eventConsumersQuery, waitingTime, type EventConsumer } from './event-consumers.ts';
import { RetryDialog, type Retry } from './retry-dialog.tsx';

const deadLettersQuery = graphql(`
  query DeadLetters($area: Area!, $consumer: String!, $after: String) {
    deadLetters(area: $area, consumer: $consumer, first: 50, after: $after) {
      nodes {
        id
        type
        resourceType
        resourceId
        error
        attempts
        failedAt
        retryRequested
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type DeadLetter = NonNullable<DeadLettersQuery['deadLetters']>['nodes'][number];

const columns: readonly Column<DeadLetter>[] = [
  { title: 'Event', cell: ({ type }) => <Code>{type}</Code> },
  { title: 'Resource', cell: ({ resourceId }) => <Code style={{ whiteSpace: 'nowrap' }}>{resourceId}</Code> },
  { title: 'Status', cell: ({ retryRequested }) => <StatusBadge status={retryRequested ? 'RETRYING' : 'FAILED'} /> },
  { title: 'Error', cell: ({ error }) => <Code>{error}</Code> },
  { title: 'Attempts', cell: ({ attempts }) => formatCount(attempts), numeric: true },
  { title: 'Last failed', cell: ({ failedAt }) => <Timestamp at={failedAt} seconds /> },
];

const route = getRouteApi('/signed-in/event-delivery/$area/$consumer');

export function Consumer() {
  const { area: areaName, consumer: name } = route.useParams();
  const area = areas.find((each) => each.toLowerCase() === areaName);
  const consumers = useGraphQuery(eventConsumersQuery, {}, { refetchEveryMs });
  const consumer = consumers.data?.eventConsumers?.find((each) => each.area === area && each.name === name);
  return (
    <Screen title={name} description={`Consumer in ${enumLabel(areaName)}`}>
      <QueryResult query={consumers} name="consumer" lines={4}>
        {() => (consumer === undefined ? <EmptyState title="Consumer not found" /> : <State consumer={consumer} />)}
      </QueryResult>
      {consumer && <DeadLetters area={consumer.area} consumer={name} count={consumer.deadLetters} />}
    </Screen>
  );
}

const State = ({ consumer }: { readonly consumer: EventConsumer }) => (
  <Section title="State">
    <DescriptionList
      items={[
        ['Status', <StatusBadge key="status" status={consumerStatus(consumer)} />],
        ['Events of', enumLabel(consumer.publishedBy)],
        ['Lag', formatCount(consumer.lag)],
        ['Oldest waits for', waitingTime(consumer)],
        ['Dead letters', formatCount(consumer.deadLetters)],
        ['Last applied', <Timestamp key="updated" at={consumer.updatedAt} seconds fallback="Never" />],
      ]}
    />
  </Section>
);

interface DeadLettersProps {
  readonly area: Area;
  readonly consumer: string;
  readonly count: number;
}

function DeadLetters({ area, consumer, count }: DeadLettersProps) {
  const { after = null } = route.useSearch();
  const canRetry = useHasScope('administration:write');
  const [retry, setRetry] = useState<Retry | null>(null);
  const { watch, ...interval } = useWatch();
  const letters = useGraphQuery(deadLettersQuery, { area, consumer, after }, interval);
  const retryColumn: Column<DeadLetter> = {
    title: 'Actions',
    cell: ({ id, type, resourceId }) => (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setRetry({ eventIds: [id], count: 1 })}
        aria-label={`Retry ${type} of ${resourceId}`}
      >
        Retry
      </Button>
    ),
  };
  return (
    <Section
      title="Dead letters"
      controls={
        count > 0 &&
        (canRetry ? (
          <Button size="xs" onClick={() => setRetry({ eventIds: null, count })}>
            Retry all
          </Button>
        ) : (
          <ReadOnlyNotice />
        ))
      }
    >
      <QueryResult query={letters} name="dead letters">
        {({ deadLetters: page }) => (
          <DataTable
            label="Dead letters"
            columns={canRetry ? [...columns, retryColumn] : columns}
            rows={page?.nodes ?? []}
            rowKey={({ id }) => id}
            pageInfo={page?.pageInfo}
            empty={<EmptyState title="No dead letters">The consumer applied all events that it received.</EmptyState>}
          />
        )}
      </QueryResult>
      <RetryDialog area={area} consumer={consumer} retry={retry} close={() => setRetry(null)} onRequested={watch} />
    </Section>
  );
}
