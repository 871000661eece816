/** The keys: searched, filtered and sorted by what the URL says. */
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ApiKeysQuery, ApiKeySort } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, sortsBy, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { AccountLink, KeyLink } from '../../parts/links.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../session/session.ts';
import { KeyFilters } from './key-filters.tsx';
import { expiresWithin } from './keys-search.ts';
import { standingOf } from './standing.ts';

const keysQuery = graphql(`
  query ApiKeys($after: String, $filter: ApiKeyFilter, $sort: ApiKeySort!) {
    apiKeys(first: 25, after: $after, filter: $filter, sort: $sort) {
      nodes {
        id
        name
        publicId
        status
        createdAt
        expiresAt
        lastUsedAt
        account {
          id
          name
          status
        }
        plan {
          code
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Key = NonNullable<ApiKeysQuery['apiKeys']>['nodes'][number];

const columns: readonly Column<Key>[] = [
  {
    title: 'Key',
    sorts: sortsBy('NAME'),
    cell: ({ id, name, publicId }) => (
      <Stack gap={0} maw={360} miw={180}>
        <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          <KeyLink id={id} name={name} />
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {publicId}
        </Text>
      </Stack>
    ),
  },
  { title: 'Account', cell: ({ account }) => <AccountLink {...account} /> },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  { title: 'Status', cell: (key) => <StatusBadge status={standingOf(key)} /> },
  {
    title: 'Last used',
    sorts: sortsBy('LAST_USED', 'descending'),
    cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" />,
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} none="Never" /> },
  { title: 'Issued', sorts: sortsBy('CREATED', 'descending'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const route = getRouteApi('/signed-in/keys');

export function Keys() {
  const search = route.useSearch();
  const { q, after = null, status, plan, scope, account, expires, sort = 'CREATED_DESC' } = search;
  const isFiltered = [q, status, plan, scope, account, expires].some((one) => one !== undefined);
  const keys = useAsk(keysQuery, {
    after,
    sort: sort satisfies ApiKeySort,
    filter: {
      ...(q !== undefined && { q }),
      ...(status !== undefined && { status: [status] }),
      ...(plan !== undefined && { plan }),
      ...(scope !== undefined && { scope }),
      ...(account !== undefined && { accountId: account }),
      ...(expires !== undefined && { expiresBefore: expiresWithin(Number(expires)) }),
    },
  });
  return (
    <Screen title="Keys" says="Who may ask the platform, on which plan, and for what." actions={<Issue />}>
      <div>
        <KeyFilters search={search} />
        <Answered of={keys} name="keys">
          {({ apiKeys: page }) => (
            <DataTable
              label="Keys"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              sort={sort}
              pageInfo={page?.pageInfo}
              empty={
                isFiltered ? (
                  <Empty title="No key is like this">Search for other words, or take a filter away.</Empty>
                ) : (
                  <Empty title="No keys yet">A key lets a partner write, and read beyond what an address may.</Empty>
                )
              }
            />
          )}
        </Answered>
      </div>
    </Screen>
  );
}

function Issue() {
  if (!useMay('administration:write')) return <LooksOnly />;
  return (
    <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/keys/issue" {...props} />}>
      Issue key
    </Button>
  );
}
