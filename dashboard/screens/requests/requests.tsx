/** The request log: requests of all API keys in pages or live, with filters and details. */
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useListState } from '../../components/list-search.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { LiveRequests } from './live-requests.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { requestsQuery } from './request-list.ts';
import { RequestTable } from './request-table.tsx';
import { pageFilterOf, requestFilterOf, type RequestsSearch } from './requests-search.ts';

const route = getRouteApi('/signed-in/requests');

export function Requests() {
  const search = route.useSearch();
  const { set } = useListState();
  const navigate = useNavigate();
  // keeps the page of the list
  const select = (request: string | undefined): void =>
    void navigate({
      to: '/requests',
      search: { ...search, request },
      state: (state) => state,
      replace: true,
      resetScroll: false,
    });
  return (
    <Screen
      title="Requests"
      description="Requests with API keys, newest first, some seconds after their response. Without bodies, query values and full addresses."
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
        <RequestFilters search={search} />
        {search.view === 'LIVE' ? (
          <LiveRequests filter={requestFilterOf(search)} onSelect={select} />
        ) : (
          <RequestPages search={search} onSelect={select} />
        )}
      </div>
      <RequestDrawer id={search.request ?? null} close={() => select(undefined)} />
    </Screen>
  );
}

interface RequestPagesProps {
  readonly search: RequestsSearch;
  readonly onSelect: (id: string) => void;
}

function RequestPages({ search, onSelect }: RequestPagesProps) {
  const requests = useGraphQuery(requestsQuery, { first: 50, after: search.after ?? null, filter: pageFilterOf(search) });
  return (
    <QueryResult query={requests} name="requests">
      {({ requests: page }) => (
        <RequestTable
          requests={page?.nodes ?? []}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={<EmptyState title="No matching requests">Change or clear the filters.</EmptyState>}
        />
      )}
    </QueryResult>
  );
}
