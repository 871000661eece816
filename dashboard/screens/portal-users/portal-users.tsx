/** The list of portal users with their memberships. Its filters are stored in the URL. */
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PortalUsersQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AccountLink, PortalUserLink } from '../../components/links.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { ChoiceFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { hasFilter, useListState } from '../../components/list-search.ts';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { enumLabel, enumOptions } from '../../components/enum-label.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useHasScope } from '../../session/session.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { PortalUserMenu } from './portal-user-menu.tsx';
import { portalUserStatuses } from './portal-users-search.ts';

const portalUsersQuery = graphql(`
  query PortalUsers($after: String, $filter: PortalUserFilter) {
    portalUsers(first: 50, after: $after, filter: $filter) {
      nodes {
        id
        name
        email
        status
        lastSignedInAt
        hasSecondFactor
        hasPasskeys
        erasedAt
        memberships {
          id
          role
          account {
            id
            name
          }
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type PortalUser = NonNullable<PortalUsersQuery['portalUsers']>['nodes'][number];

const Memberships = ({ memberships }: Pick<PortalUser, 'memberships'>) =>
  memberships === null || memberships.length === 0
    ? 'None'
    : memberships.map(({ id, role, account }) => (
        <div key={id}>
          <AccountLink {...account} /> ({enumLabel(role).toLowerCase()})
        </div>
      ));

const columns: readonly Column<PortalUser>[] = [
  {
    title: 'Name',
    cell: (user) => (
      <Text component="div" inherit fw={500} maw={360} miw={120} style={{ overflowWrap: 'anywhere' }}>
        <PortalUserLink {...user} />
      </Text>
    ),
  },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Accounts', cell: ({ memberships }) => <Memberships memberships={memberships} /> },
  { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No') },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Timestamp at={lastSignedInAt} fallback="Never" /> },
];

const actions: Column<PortalUser> = {
  title: 'Actions',
  cell: (user) => (
    <PortalUserMenu user={user}>
      <ActionIcon variant="default" aria-label={`Actions for ${user.name}`}>
        <IconDots size={16} />
      </ActionIcon>
    </PortalUserMenu>
  ),
};

const OpenAccounts = () => (
  <Button variant="default" size="xs" renderRoot={(props) => <Link to="/accounts" {...props} />}>
    Open accounts
  </Button>
);

const route = getRouteApi('/signed-in/portal-users');

export function PortalUsers() {
  const { after = null, ...search } = route.useSearch();
  const { q, status, account } = search;
  const { set } = useListState();
  const filter = { q: q ?? null, status: status ? [status] : null, accountId: account ?? null };
  const users = useGraphQuery(portalUsersQuery, { after, filter });
  const canManage = useHasScope('administration:write');
  return (
    <Screen
      title="Portal users"
      description="People who sign in to the partner portal, and their accounts."
      actions={!canManage && <ReadOnlyNotice />}
    >
      <div>
        <ListFilters>
          <SearchBox label="Name or email" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(portalUserStatuses)} />
          <AccountSelect
            label="Account"
            placeholder="All"
            value={account ?? null}
            onChange={(selected) => set({ account: selected ?? undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        </ListFilters>
        <QueryResult query={users} name="portal users">
          {({ portalUsers: page }) => (
            <DataTable
              label="Portal users"
              columns={canManage ? [...columns, actions] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                hasFilter(search) ? (
                  <NoMatches title="No matching portal users" />
                ) : (
                  <EmptyState title="No portal users yet" action={<OpenAccounts />}>
                    Open an account and invite its first owner.
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
