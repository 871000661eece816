/** The list of API keys. Its search text, filters and sort order are stored in the URL. */
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ApiKeySort } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DataTable, sortsBy, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { AccountLink, KeyLink } from '../../components/links.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { BulkBar } from '../../components/bulk-actions.tsx';
import { useRowSelection } from '../../components/row-selection.tsx';
import { TestBadge } from '../../components/test-badge.tsx';
import { useHasScope } from '../../session/session.ts';
import { KeyFilters } from './key-filters.tsx';
import { keyBulkActions } from './key-bulk-actions.ts';
import { KeyExport } from './key-export.tsx';
import { expiresWithin } from './keys-search.ts';
import { keysQuery, type ListedKey } from './keys-query.ts';
import { KeyStatusCell } from './key-status-cell.tsx';

const columns: readonly Column<ListedKey>[] = [
  {
    title: 'API key',
    sorts: sortsBy('NAME'),
    cell: ({ id, name, publicId, mode }) => (
      <Stack gap={0} maw={360} miw={180}>
        <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          <KeyLink id={id} name={name} />
        </Text>
        <Text component="div" size="xs" c="dimmed">
          <CopyableId label={`public ID of ${name}`} id={publicId} size="xs" />
          <TestBadge mode={mode} />
        </Text>
      </Stack>
    ),
  },
  { title: 'Account', cell: ({ account }) => <AccountLink {...account} /> },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  { title: 'Status', cell: (key) => <KeyStatusCell {...key} /> },
  {
    title: 'Last used',
    sorts: sortsBy('LAST_USED', 'descending'),
    cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} fallback="Never" />,
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} fallback="Never" /> },
  { title: 'Issued', sorts: sortsBy('CREATED', 'descending'), cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const route = getRouteApi('/signed-in/keys');

export function Keys() {
  const search = route.useSearch();
  const canIssue = useHasScope('administration:write');
  const { q, after = null, status, plan, scope, account, expires, sort = 'CREATED_DESC' } = search;
  const isFiltered = [q, status, plan, scope, account, expires].some((value) => value !== undefined);
  const selection = useRowSelection<ListedKey>();
  const variables = {
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
  };
  const keys = useGraphQuery(keysQuery, variables);
  return (
    <Screen
      title="API keys"
      description="API keys of all accounts, with their plans and scopes."
      actions={
        <>
          <KeyExport variables={variables} />
          <IssueButton />
        </>
      }
    >
      <div>
        <KeyFilters search={search} />
        <BulkBar selection={selection} many="API keys" actions={keyBulkActions} />
        <QueryResult query={keys} name="API keys">
          {({ apiKeys: page }) => (
            <DataTable
              label="API keys"
              columns={canIssue ? [selection.columnOf(page?.nodes ?? []), ...columns] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              sort={sort}
              pageInfo={page?.pageInfo}
              empty={
                isFiltered ? (
                  <NoMatches title="No matching API keys" />
                ) : (
                  <EmptyState title="No API keys yet" action={canIssue && <IssueButton />}>
                    Issue a key to give a partner write access and higher read limits.
                  </EmptyState>
                )
              }
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}

function IssueButton() {
  if (!useHasScope('administration:write')) return <ReadOnlyNotice />;
  return (
    <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/keys/issue" {...props} />}>
      Issue API key
    </Button>
  );
}
