/** The events that name the account, newest first, with filters and details. */
import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { EventDrawer } from '../../../components/events/event-drawer.tsx';
import { EventFilters } from '../../../components/events/event-filters.tsx';
import { eventFilterOf, sinceOf } from '../../../components/events/event-search.ts';
import { EventTable, eventColumns, sequenceColumn, type ResourceName } from '../../../components/events/event-table.tsx';
import { useSelectEvent } from '../../../components/events/select-event.ts';
import { hasFilter } from '../../../components/list-search.ts';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { WebhookLink } from '../../../components/webhooks/webhook-link.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { KeyLink } from '../keys/key-link.tsx';

const eventsQuery = graphql(`
  query OwnEvents($after: String, $filter: EventLogFilter) {
    eventLog(first: 50, after: $after, filter: $filter) {
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

const route = getRouteApi('/signed-in/events');

export function Events() {
  const { after = null, event, ...search } = route.useSearch();
  const select = useSelectEvent();
  const filter = { ...eventFilterOf(search), ...sinceOf(search) };
  const events = useGraphQuery(eventsQuery, { after, filter }, { refetchEveryMs });
  return (
    <Screen title="Events" description="Changes of the resources of the account, newest first. Events are retained for 30 days.">
      <div>
        <EventFilters search={search} />
        <QueryResult query={events} name="events">
          {({ eventLog: page }) => (
            <EventTable
              columns={columns}
              events={page?.nodes ?? []}
              onSelect={select}
              pageInfo={page?.pageInfo}
              empty={hasFilter(search) ? <NoMatches title="No matching events" /> : <NoEvents />}
            />
          )}
        </QueryResult>
      </div>
      <EventDrawer id={event ?? null} close={() => select(undefined)} resource={OwnResource} />
    </Screen>
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
