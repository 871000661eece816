/** The accounts: who holds keys. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { AccountsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, sortsBy, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { AccountLink } from '../../parts/links.tsx';
import { ChoiceFilter, ListTools, SearchBox } from '../../parts/list-tools.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Moment } from '../../parts/moment.tsx';
import { count } from '../../parts/numbers.ts';
import { Screen } from '../../parts/screen.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../session/session.ts';
import { CreateAccount } from './account-forms.tsx';

const accountsQuery = graphql(`
  query Accounts($after: String, $filter: AccountFilter, $sort: AccountSort!) {
    accounts(first: 25, after: $after, filter: $filter, sort: $sort) {
      nodes {
        id
        name
        email
        status
        createdAt
        liveKeys
        requestsLast24Hours
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Account = NonNullable<AccountsQuery['accounts']>['nodes'][number];

const columns: readonly Column<Account>[] = [
  {
    title: 'Account',
    sorts: sortsBy('NAME'),
    cell: (account) => (
      <Text component="div" inherit fw={500} maw={360} miw={160} style={{ overflowWrap: 'anywhere' }}>
        <AccountLink {...account} />
      </Text>
    ),
  },
  { title: 'E-mail', cell: ({ email }) => email ?? '–' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Live keys', cell: ({ liveKeys }) => count(liveKeys), numeric: true },
  { title: 'Calls in 24 hours', cell: ({ requestsLast24Hours }) => count(requestsLast24Hours), numeric: true },
  { title: 'Created', sorts: sortsBy('CREATED', 'descending'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const statusChoices = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'SUSPENDED', label: 'Suspended' },
  { value: 'CLOSED', label: 'Closed' },
];

const route = getRouteApi('/signed-in/accounts');

export function Accounts() {
  const { q, after = null, status, sort = 'CREATED_DESC' } = route.useSearch();
  const filter = { ...(q !== undefined && { q }), ...(status !== undefined && { status: [status] }) };
  const accounts = useAsk(accountsQuery, { after, filter, sort });
  return (
    <Screen title="Accounts" says="Who holds keys, and owns what is written with them." actions={<Create />}>
      <div>
        <ListTools>
          <SearchBox label="Name" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={statusChoices} />
        </ListTools>
        <Answered of={accounts} name="accounts">
          {({ accounts: page }) => (
            <DataTable
              label="Accounts"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              sort={sort}
              pageInfo={page?.pageInfo}
              empty={
                q === undefined && status === undefined ? (
                  <Empty title="No accounts yet">Create one, or issue a key to a new one.</Empty>
                ) : (
                  <Empty title="No account is like this">Search for other words, or take the filter away.</Empty>
                )
              }
            />
          )}
        </Answered>
      </div>
    </Screen>
  );
}

function Create() {
  const [opened, { open, close }] = useDisclosure(false);
  if (!useMay('administration:write')) return <LooksOnly />;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create account
      </Button>
      <CreateAccount opened={opened} close={close} />
    </>
  );
}
