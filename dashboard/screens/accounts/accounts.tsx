/** The list of accounts. */
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, sortsBy, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { AccountLink } from '../../components/links.tsx';
import { ChoiceFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { enumOptions } from '../../components/enum-label.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../components/number-format.ts';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { BulkBar } from '../../components/bulk-actions.tsx';
import { useRowSelection } from '../../components/row-selection.tsx';
import { useHasScope } from '../../session/session.ts';
import { accountBulkActions } from './account-bulk-actions.ts';
import { AccountExport } from './account-export.tsx';
import { accountsQuery, type ListedAccount } from './accounts-query.ts';
import { CreateAccount } from './account-forms.tsx';
import { accountStatuses } from './accounts-search.ts';

const columns: readonly Column<ListedAccount>[] = [
  {
    title: 'Account',
    sorts: sortsBy('NAME'),
    cell: (account) => (
      <Text component="div" inherit fw={500} maw={360} miw={160} style={{ overflowWrap: 'anywhere' }}>
        <AccountLink {...account} />
      </Text>
    ),
  },
  { title: 'Email', cell: ({ email }) => email ?? '–' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Live API keys', cell: ({ liveKeys }) => formatCount(liveKeys), numeric: true },
  { title: 'Requests (24 hours)', cell: ({ requestsLast24Hours }) => formatCount(requestsLast24Hours), numeric: true },
  { title: 'Created', sorts: sortsBy('CREATED', 'descending'), cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const statusOptions = enumOptions(accountStatuses);

const route = getRouteApi('/signed-in/accounts');

export function Accounts() {
  const { q, after = null, status, sort = 'CREATED_DESC' } = route.useSearch();
  const canCreate = useHasScope('administration:write');
  const filter = { ...(q !== undefined && { q }), ...(status !== undefined && { status: [status] }) };
  const selection = useRowSelection<ListedAccount>();
  const accounts = useGraphQuery(accountsQuery, { after, filter, sort });
  return (
    <Screen
      title="Accounts"
      description="Partners that own API keys and the data created with them."
      actions={
        <>
          <AccountExport variables={{ filter, sort }} />
          <CreateButton label="Create account" dialog={CreateAccount} />
        </>
      }
    >
      <div>
        <ListFilters>
          <SearchBox label="Name" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={statusOptions} />
        </ListFilters>
        <BulkBar selection={selection} many="accounts" actions={accountBulkActions} />
        <QueryResult query={accounts} name="accounts">
          {({ accounts: page }) => (
            <DataTable
              label="Accounts"
              columns={canCreate ? [selection.columnOf(page?.nodes ?? []), ...columns] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              sort={sort}
              pageInfo={page?.pageInfo}
              empty={
                q === undefined && status === undefined ? (
                  <EmptyState
                    title="No accounts yet"
                    action={canCreate && <CreateButton label="Create account" dialog={CreateAccount} />}
                  >
                    Create an account, or issue an API key for a new account.
                  </EmptyState>
                ) : (
                  <NoMatches title="No matching accounts" />
                )
              }
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}
