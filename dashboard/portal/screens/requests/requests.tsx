/** The request log of the account, in pages or live, with filters and details. */
import { Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { hasFilter, useListState } from '../../../components/list-search.ts';
import { NoMatches } from '../../../components/no-matches.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { LiveRequests } from '../../../components/requests/live-requests.tsx';
import { RequestDrawer } from '../../../components/requests/request-details.tsx';
import { RequestFilters } from '../../../components/requests/request-filters.tsx';
import { RequestTable } from '../../../components/requests/request-table.tsx';
import { RequestViewSwitch, useSelectRequest } from '../../../components/requests/request-view.tsx';
import { pageFilterOf, requestFilterOf, type RequestsSearch } from '../../../components/requests/requests-search.ts';
import { Screen } from '../../../components/screen.tsx';
import { runOperation, useGraphQuery } from '../../../graph/operations.ts';
import { KeyLink } from '../keys/key-link.tsx';
import { KeysButton } from '../keys/keys-button.tsx';
import { useOwnKeyNames } from '../keys/own-key-names.ts';
import { requestsQuery, type RequestRow } from './request-list.ts';
import { RequestOfId } from './request-of-id.tsx';

/** The requests of the portal count against a daily limit of the account. */
const pollEveryMs = 5_000;

const ownerColumns: readonly Column<RequestRow>[] = [
  { title: 'API key', cell: ({ apiKey }) => (apiKey === null ? '–' : <KeyLink {...apiKey} />) },
  { title: 'Units', cell: ({ units }) => formatCount(units), numeric: true },
];

const route = getRouteApi('/signed-in/requests');

export function Requests() {
  const search = route.useSearch();
  const select = useSelectRequest();
  return (
    <Screen
      title="Requests"
      description="Requests of your API keys, newest first, some seconds after their response. Without bodies, query values and full addresses."
      actions={<RequestViewSwitch view={search.view} />}
    >
      <div>
        <RequestFilters search={search}>
          <KeyFilter publicId={search.key} />
        </RequestFilters>
        {search.view === 'LIVE' ? <Live search={search} onSelect={select} /> : <RequestPages search={search} onSelect={select} />}
      </div>
      <RequestDrawer id={search.request ?? null} close={() => select(undefined)}>
        {(id) => <RequestOfId id={id} />}
      </RequestDrawer>
    </Screen>
  );
}

/** Selects a key of the account; a key of a link that is not in the list stays selected. */
function KeyFilter({ publicId }: { readonly publicId: string | undefined }) {
  const { set } = useListState();
  const names = useOwnKeyNames();
  const choices = [...names].map(([value, label]) => ({ value, label }));
  const linked = publicId !== undefined && !names.has(publicId) ? [{ value: publicId, label: publicId }] : [];
  return (
    <Select
      label="API key"
      placeholder="All"
      data={[...linked, ...choices]}
      value={publicId ?? null}
      onChange={(key) => set({ key: key ?? undefined })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear API key' }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}

interface ViewProps {
  readonly search: RequestsSearch;
  readonly onSelect: (id: string) => void;
}

function Live({ search, onSelect }: ViewProps) {
  const filter = requestFilterOf(search);
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
  const filter = pageFilterOf(search);
  const requests = useGraphQuery(requestsQuery, { first: 50, after: search.after ?? null, filter });
  return (
    <QueryResult query={requests} name="requests">
      {({ requests: page }) => (
        <RequestTable
          requests={page?.nodes ?? []}
          ownerColumns={ownerColumns}
          onSelect={onSelect}
          pageInfo={page?.pageInfo}
          empty={hasFilter(filter) ? <NoMatches title="No matching requests" /> : <NoRequests />}
        />
      )}
    </QueryResult>
  );
}

const NoRequests = () => (
  <EmptyState title="No requests yet" action={<KeysButton />}>
    Requests appear here some seconds after their response. They are retained for 7 or 30 days, as the plan says.
  </EmptyState>
);
