/** The event explorer: the events of all accounts in pages or live, with filters and details. */
import { getRouteApi } from '@tanstack/react-router';
import type { EventLogFilter } from '../../generated/graphql.ts';
import { runOperation, useGraphQuery } from '../../graph/operations.ts';
import { NoMatches } from '../../components/no-matches.tsx';
import { useListState } from '../../components/list-search.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { EventDrawer } from '../../components/events/event-drawer.tsx';
import { EventFilters } from '../../components/events/event-filters.tsx';
import { EventTable } from '../../components/events/event-table.tsx';
import type { TailSource } from '../../components/events/event-tail.ts';
import { EventViewSwitch } from '../../components/events/event-view.tsx';
import { LiveTail } from '../../components/events/live-tail.tsx';
import { useSelectEvent } from '../../components/events/select-event.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { columns, LinkedResource } from './event-columns.tsx';
import { eventLogQuery, type LogEvent } from './event-log.ts';
import { logFilterOf, pageFilterOf, type EventsSearch } from './events-search.ts';

const pollEveryMs = 2_000;

const route = getRouteApi('/signed-in/events');

export function Events() {
  const search = route.useSearch();
  const { set } = useListState();
  const select = useSelectEvent();
  return (
    <Screen
      title="Events"
      description="Changes of all accounts, newest first. Events are retained for 30 days."
      actions={<EventViewSwitch view={search.view} />}
    >
      <div>
        <EventFilters search={search} hasSince={search.view !== 'LIVE'}>
          <AccountSelect
            label="Account"
            placeholder="All"
            value={search.account ?? null}
            onChange={(account) => set({ account: account ?? undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        </EventFilters>
        {search.view === 'LIVE' ? (
          <LiveTail source={tailOf(logFilterOf(search))} columns={columns} onSelect={select} />
        ) : (
          <EventPages search={search} onSelect={select} />
        )}
      </div>
      <EventDrawer id={search.event ?? null} close={() => select(undefined)} resource={LinkedResource} />
    </Screen>
  );
}

const tailOf = (filter: EventLogFilter): TailSource<LogEvent> => ({
  filter,
  pollEveryMs,
  read: async ({ first, afterSequence }, options) => {
    const variables = { first, after: null, filter: { ...filter, afterSequence } };
    return (await runOperation(eventLogQuery, variables, options)).eventLog;
  },
});

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
          columns={columns}
          events={page?.nodes ?? []}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={<NoMatches title="No matching events" />}
        />
      )}
    </QueryResult>
  );
}
