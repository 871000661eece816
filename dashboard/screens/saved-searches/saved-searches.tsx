/** The list of the saved searches of all accounts. Its filters and the open search are stored in the URL. */
import { Anchor, Stack, Text } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SavedSearchesQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { enumLabel, enumOptions } from '../../components/enum-label.ts';
import { AccountLink } from '../../components/links.tsx';
import { ChoiceFilter, ListFilters } from '../../components/list-filters.tsx';
import { hasFilter, useListState } from '../../components/list-search.ts';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { AccountSelect } from '../accounts/account-select.tsx';
import { filterSummary, intervalLabel } from './filter-items.ts';
import { SavedSearchDrawer } from './saved-search-drawer.tsx';
import { searchFilterOf, searchKinds } from './saved-searches-search.ts';

const savedSearchesQuery = graphql(`
  query SavedSearches($after: String, $filter: SavedSearchFilter) {
    savedSearches(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        name
        kind
        filter
        intervalMinutes
        paused
        lastMatchedAt
        matchCount
        createdAt
        account {
          id
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Search = NonNullable<SavedSearchesQuery['savedSearches']>['nodes'][number];

/** Opens the details over the current page of the list. */
const DetailsLink = ({ id, name }: Pick<Search, 'id' | 'name'>) => (
  <Anchor
    inherit
    underline="always"
    renderRoot={(props) => (
      <Link
        to="/saved-searches"
        search={(current) => ({ ...current, search: id })}
        state={(state) => state}
        resetScroll={false}
        {...props}
      />
    )}
  >
    {name}
  </Anchor>
);

const columns: readonly Column<Search>[] = [
  {
    title: 'Saved search',
    cell: ({ id, name, filter }) => (
      <Stack gap={0} maw={400} miw={220}>
        <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          <DetailsLink id={id} name={name} />
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {filterSummary(filter)}
        </Text>
      </Stack>
    ),
  },
  { title: 'Account', cell: ({ account }) => (account === null ? '–' : <AccountLink {...account} />) },
  { title: 'List', cell: ({ kind }) => enumLabel(kind) },
  { title: 'Status', cell: ({ paused }) => <StatusBadge status={paused ? 'PAUSED' : 'ACTIVE'} /> },
  {
    title: 'Interval',
    cell: ({ intervalMinutes }) => <span style={{ whiteSpace: 'nowrap' }}>{intervalLabel(intervalMinutes)}</span>,
  },
  { title: 'Matches', cell: ({ matchCount }) => (matchCount === null ? '–' : formatCount(matchCount)), numeric: true },
  { title: 'Last match', cell: ({ lastMatchedAt }) => <Timestamp at={lastMatchedAt} fallback="Never" /> },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const route = getRouteApi('/signed-in/saved-searches');

export function SavedSearches() {
  const { after = null, search: selected, ...filters } = route.useSearch();
  const { set } = useListState();
  const navigate = useNavigate();
  const searches = useGraphQuery(savedSearchesQuery, { after, filter: searchFilterOf(filters) });
  // keeps the page of the list
  const close = (): void =>
    void navigate({
      to: '/saved-searches',
      search: (current) => ({ ...current, search: undefined }),
      state: (state) => state,
      replace: true,
      resetScroll: false,
    });
  const isFiltered = hasFilter(filters);
  return (
    <Screen
      title="Saved searches"
      description="Saved searches of all accounts: lists that the platform runs again to report new matches."
    >
      <div>
        <ListFilters>
          <ChoiceFilter name="kind" label="List" value={filters.kind} choices={enumOptions(searchKinds)} />
          <AccountSelect
            label="Account"
            placeholder="All"
            value={filters.account ?? null}
            onChange={(account) => set({ account: account ?? undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        </ListFilters>
        <QueryResult query={searches} name="saved searches">
          {({ savedSearches: page }) => (
            <DataTable
              label="Saved searches"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                isFiltered ? (
                  <NoMatches title="No matching saved searches" />
                ) : (
                  <EmptyState title="No saved searches yet">Accounts create them with their API key.</EmptyState>
                )
              }
            />
          )}
        </QueryResult>
      </div>
      <SavedSearchDrawer id={selected ?? null} close={close} />
    </Screen>
  );
}
