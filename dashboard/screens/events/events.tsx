/** The event explorer: the events of all accounts in pages or live, with filters and details. */
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { NoMatches } from '../../components/no-matches.tsx';
import { useListState } from '../../components/list-search.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { eventLogQuery } from './event-log.ts';
import { EventTable } from './event-table.tsx';
import { eventFilterOf, pageFilterOf, type EventsSearch } from './events-search.ts';
import { LiveTail } from './live-tail.tsx';

const route = getRouteApi('/signed-in/events');

export function Events() {
  const search = route.useSearch();
  const { set } = useListState();
  const navigate = useNavigate();
  // keeps the page of the list
  const select = (event: string | undefined): void =>
    void navigate({
      to: '/events',
      search: { ...search, event },
      state: (state) => state,
      replace: true,
      resetScroll: false,
    });
  return (
    <Screen
      title="Events"
      description="Changes of all accounts, newest first. Events are retained for 30 days."
      actions={
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'PAGES', label: 'Log' },
            { value: 'LIVE', label: 'Live' },
          ]}
          value={search.view ?? 'PAGES'}
          onChange={(view) => set({ view: view === 'LIVE' ? view : undefined })}
        />
      }
    >
      <div>
        <EventFilters search={search} />
        {search.view === 'LIVE' ? (
          <LiveTail filter={eventFilterOf(search)} onSelect={select} />
        ) : (
          <EventPages search={search} onSelect={select} />
        )}
      </div>
      <EventDrawer id={search.event ?? null} close={() => select(undefined)} />
    </Screen>
  );
}

interface EventPagesProps {
  readonly search: EventsSearch;
  readonly onSelect: (id: string) => void;
}

function EventPages({ search, onSelect }: EventPagesProps) {
  const events = useGraphQuery(eventLogQuery, { first: 50, after: search.after ?? null, filter: pageFilterOf(search) });
  return (
    <QueryResult query={events} name="events">
      {({ eventLog: page }) => (
        <EventTable
          events={page?.nodes ?? []}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={<NoMatches title="No matching events" />}
        />
      )}
    </QueryResult>
  );
}
