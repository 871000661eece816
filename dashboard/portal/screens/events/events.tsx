/** The events that name the account, newest first, with filters and details. */
import { Anchor, Group } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { EventDrawer } from '../../../components/events/event-drawer.tsx';
import { EventFilters } from '../../../components/events/event-filters.tsx';
import { eventFilterOf, sinceOf } from '../../../components/events/event-search.ts';
import { EventTable, eventColumns, sequenceColumn, type ResourceName } from '../../../components/events/event-table.tsx';
import type { TailSource } from '../../../components/events/event-tail.ts';
import { EventViewSwitch } from '../../../components/events/event-view.tsx';
import { LiveTail } from '../../../components/events/live-tail.tsx';
import { useSelectEvent } from '../../../components/events/select-event.ts';
import { hasFilter } from '../../../components/list-search.ts';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { WebhookLink } from '../../../components/webhooks/webhook-link.tsx';
import { runOperation, useGraphQuery } from '../../../graph/operations.ts';
import type { EventLogFilter, OwnEventsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { ModeSwitch } from '../../shell/mode-switch.tsx';
import { KeyLink } from '../keys/key-link.tsx';
import type { OwnEventsSearch } from './own-events-search.ts';

const eventsQuery = graphql(`
  query OwnEvents($first: Int!, $after: String, $filter: EventLogFilter) {
    eventLog(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        type
        timestamp
        sequence
        area
        resource {
          type
          id
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

/** Links to the screens of the portal; other IDs can be copied. */
const OwnResource: ResourceName = ({ type, id }) => {
  if (type === 'api_key') return <KeyLink id={id} name={id} />;
  if (type === 'webhook_endpoint') return <WebhookLink id={id} name={id} />;
  return <CopyableId label={`ID of ${type.replaceAll('_', ' ')}`} id={id} size="xs" />;
};

const columns = [...eventColumns(OwnResource), sequenceColumn];

/** The requests of the portal count against a daily limit of the account. */
const pollEveryMs = 5_000;

type OwnEvent = NonNullable<OwnEventsQuery['eventLog']>['nodes'][number];

const tailOf = (filter: EventLogFilter): TailSource<OwnEvent> => ({
  filter,
  pollEveryMs,
  read: async ({ first, afterSequence }, options) => {
    const variables = { first, after: null, filter: { ...filter, afterSequence } };
    return (await runOperation(eventsQuery, variables, options)).eventLog;
  },
});

const route = getRouteApi('/signed-in/events');

export function Events() {
  const search = route.useSearch();
  const select = useSelectEvent();
  return (
    <Screen
      title="Events"
      description="Changes of the resources of the account, newest first. Events are retained for 30 days."
      actions={
        <Group gap="xs">
          <ModeSwitch />
          <EventViewSwitch view={search.view} />
        </Group>
      }
    >
      <div>
        <EventFilters search={search} hasSince={search.view !== 'LIVE'} />
        {search.view === 'LIVE' ? (
          <LiveTail source={tailOf(eventFilterOf(search))} columns={columns} onSelect={select} />
        ) : (
          <EventPages search={search} onSelect={select} />
        )}
      </div>
      <EventDrawer id={search.event ?? null} close={() => select(undefined)} resource={OwnResource} />
    </Screen>
  );
}

interface EventPagesProps {
  readonly search: OwnEventsSearch;
  readonly onSelect: (id: string) => void;
}

function EventPages({ search, onSelect }: EventPagesProps) {
  const filter = { ...eventFilterOf(search), ...sinceOf(search) };
  const events = useGraphQuery(eventsQuery, { first: 50, after: search.after ?? null, filter }, { refetchEveryMs });
  return (
    <QueryResult query={events} name="events">
      {({ eventLog: page }) => (
        <EventTable
          columns={columns}
          events={page?.nodes ?? []}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={hasFilter(filter) ? <NoMatches title="No matching events" /> : <NoEvents />}
        />
      )}
    </QueryResult>
  );
}

const NoEvents = () => (
  <EmptyState
    title="No events yet"
    action={
      <Anchor underline="always" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
        Receive events with a webhook endpoint
      </Anchor>
    }
  >
    Each change of a resource of the account is an event.
  </EmptyState>
);
