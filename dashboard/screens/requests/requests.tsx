/** The request log: requests of all API keys in pages or live, with filters and details. */
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { AccountLink, KeyLink } from '../../components/links.tsx';
import { SearchBox } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-search.ts';
import type { Column } from '../../components/data-table.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { LiveRequests } from '../../components/requests/live-requests.tsx';
import { RequestDrawer } from '../../components/requests/request-details.tsx';
import { RequestFilters } from '../../components/requests/request-filters.tsx';
import { RequestTable } from '../../components/requests/request-table.tsx';
import { RequestViewSwitch, useSelectRequest } from '../../components/requests/request-view.tsx';
import { Screen } from '../../components/screen.tsx';
import { runOperation, useGraphQuery } from '../../graph/operations.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { requestsQuery, type RequestRow } from './request-list.ts';
import { RequestOfId } from './request-of-id.tsx';
import { allFilterOf, allPageFilterOf, type AllRequestsSearch } from './requests-search.ts';

const pollEveryMs = 2_000;

const ownerColumns: readonly Column<RequestRow>[] = [
  { title: 'API key', cell: ({ apiKey }) => (apiKey === null ? '–' : <KeyLink {...apiKey} />) },
  { title: 'Account', cell: ({ account }) => (account === null ? '–' : <AccountLink {...account} />) },
];

const route = getRouteApi('/signed-in/requests');

export function Requests() {
  const search = route.useSearch();
  const { set } = useListState();
  const select = useSelectRequest();
  return (
    <Screen
      title="Requests"
      description="Requests with API keys, newest first, some seconds after their response. Without bodies, query values and full addresses."
      actions={<RequestViewSwitch view={search.view} />}
    >
      <div>
        <RequestFilters search={search}>
          <SearchBox name="key" label="API key (public ID)" placeholder="sp_live_…" value={search.key} />
          <AccountSelect
            label="Account"
            placeholder="All"
            value={search.account ?? null}
            onChange={(account) => set({ account: account ?? undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        </RequestFilters>
        {search.view === 'LIVE' ? <Live search={search} onSelect={select} /> : <RequestPages search={search} onSelect={select} />}
      </div>
      <RequestDrawer id={search.request ?? null} close={() => select(undefined)}>
        {(id) => <RequestOfId id={id} />}
      </RequestDrawer>
    </Screen>
  );
}

interface ViewProps {
  readonly search: AllRequestsSearch;
  readonly onSelect: (id: string) => void;
}

function Live({ search, onSelect }: ViewProps) {
  const filter = allFilterOf(search);
  const read = (first: number, signal: AbortSignal) =>
    runOperation(requestsQuery, { first, after: null, filter }, { signal, background: true });
  return (
    <LiveRequests filter={filter} pollEveryMs={pollEveryMs} read={read}>
      {({ requests: page }) => (
        <RequestTable
          requests={page?.nodes ?? []}
          ownerColumns={ownerColumns}
          onSelect={onSelect}
          empty={<EmptyState title="No requests yet">New requests appear here within seconds.</EmptyState>}
        />
      )}
    </LiveRequests>
  );
}

function RequestPages({ search, onSelect }: ViewProps) {
  const requests = useGraphQuery(requestsQuery, { first: 50, after: search.after ?? null, filter: allPageFilterOf(search) });
  return (
    <QueryResult query={requests} name="requests">
      {({ requests: page }) => (
        <RequestTable
          requests={page?.nodes ?? []}
          ownerColumns={ownerColumns}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={<NoMatches title="No matching requests" />}
        />
      )}
    </QueryResult>
  );
}
