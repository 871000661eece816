/** The list of portal users with their memberships. */
import type { PortalUsersQuery } from '../../generated/graphql.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { AccountLink } from '../../components/links.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { ChoiceFilter, IdFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { enumLabel, enumOptions } from '../../components/enum-label.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
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
    ? '–'
    : memberships.map(({ id, role, account }) => (
        <div key={id}>
          <AccountLink {...account} /> ({enumLabel(role)})
        </div>
      ));

const columns: readonly Column<PortalUser>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Accounts', cell: ({ memberships }) => <Memberships memberships={memberships} /> },
  { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'On' : 'Off') },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Timestamp at={lastSignedInAt} fallback="Never" /> },
];

const route = getRouteApi('/signed-in/portal-users');

export function PortalUsers() {
  const { q, after = null, status, account } = route.useSearch();
  const filter = { q: q ?? null, status: status ? [status] : null, accountId: account ?? null };
  const users = useGraphQuery(portalUsersQuery, { after, filter });
  return (
    <Screen title="Portal users" description="People who sign in to the partner portal, and their accounts.">
      <div>
        <ListFilters>
          <SearchBox label="Name or email" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(portalUserStatuses)} />
          <IdFilter name="account" label="Account ID" value={account} />
        </ListFilters>
        <QueryResult query={users} name="portal users">
          {({ portalUsers: page }) => (
            <DataTable
              label="Portal users"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={<NoMatches title="No matching portal users" />}
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}
