/** The drawer with a saved search: its filter in words and as JSON, its interval and what it found. */
import { Anchor, Drawer, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SavedSearchQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { AccountLink } from '../../components/links.tsx';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { filterItemsOf, intervalLabel } from './filter-items.ts';

const savedSearchQuery = graphql(`
  query SavedSearch($id: ID!) {
    savedSearch(id: $id) {
      id
      version
      createdAt
      updatedAt
      name
      kind
      filter
      intervalMinutes
      shortlistId
      paused
      lastMatchedAt
      matchCount
      account {
        id
        name
        status
      }
    }
  }
`);

type SearchDetails = NonNullable<SavedSearchQuery['savedSearch']>;

interface SavedSearchDrawerProps {
  /** Null while the drawer is closed. */
  readonly id: string | null;
  readonly close: () => void;
}

export const SavedSearchDrawer = ({ id, close }: SavedSearchDrawerProps) => (
  <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Saved search">
    {id !== null && <Details id={id} />}
  </Drawer>
);

function Details({ id }: { readonly id: string }) {
  const query = useGraphQuery(savedSearchQuery, { id });
  return (
    <QueryResult query={query} name="saved search">
      {({ savedSearch }) =>
        savedSearch === null ? <EmptyState title="Saved search not found" /> : <SavedSearch search={savedSearch} />
      }
    </QueryResult>
  );
}

function SavedSearch({ search }: { readonly search: SearchDetails }) {
  const { id, name, kind, filter, intervalMinutes, shortlistId, paused, lastMatchedAt, matchCount, account } = search;
  const items = filterItemsOf(filter);
  return (
    <Stack>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {account !== null && account.status !== 'ACTIVE' && (
        <Text c="dimmed">The account is {account.status.toLowerCase()}: this search does not run.</Text>
      )}
      <DescriptionList
        items={[
          ['Account', account && <AccountLink key="account" id={account.id} name={account.name} />],
          ['List', enumLabel(kind)],
          ['Status', <StatusBadge key="status" status={paused ? 'PAUSED' : 'ACTIVE'} />],
          ['Interval', intervalLabel(intervalMinutes)],
          ['Matches in 90 days', matchCount === null ? '–' : formatCount(matchCount)],
          ['Last match', <Timestamp key="matched" at={lastMatchedAt} fallback="Never" />],
          ['Created', <Timestamp key="created" at={search.createdAt} />],
          ['Updated', <Timestamp key="updated" at={search.updatedAt} />],
          ['Shortlist ID', shortlistId],
          ['Saved search ID', id],
          ['Version', search.version],
        ]}
      />
      <Anchor renderRoot={(props) => <Link to="/events" search={{ resource: id }} {...props} />}>
        All events of this saved search
      </Anchor>
      <Title order={2}>Filter</Title>
      {items.length === 0 ? (
        <Text c="dimmed">No filters: the search reads the whole list.</Text>
      ) : (
        <DescriptionList items={items} />
      )}
      <CodeBlock label="Filter as in the API" text={JSON.stringify(filter)} />
    </Stack>
  );
}
