/** One account: details, API keys, members, usage, contracts, statements, history and actions. */
import { Button, Group } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccountQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { History } from '../../components/history.tsx';
import { KeyLink } from '../../components/links.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../components/number-format.ts';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useHasScope } from '../../session/session.ts';
import { KeyStatusCell } from '../keys/key-status-cell.tsx';
import { RequestAnalytics } from '../requests/request-analytics.tsx';
import { OrganizationName } from './organization-select.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountMembers } from './account-members.tsx';
import { AccountUsage } from './account-usage.tsx';
import { Contracts } from './contracts.tsx';
import { Statements } from './statements.tsx';

const accountQuery = graphql(`
  query Account($id: ID!) {
    account(id: $id) {
      id
      version
      createdAt
      updatedAt
      name
      email
      organizationId
      status
      requestsLast24Hours
      liveKeys
      keys(first: 10) {
        nodes {
          id
          name
          publicId
          status
          expiresAt
          lastUsedAt
          rotatedTo {
            id
            publicId
          }
          plan {
            name
          }
        }
        pageInfo {
          nextCursor
        }
      }
    }
  }
`);

export type AccountDetails = NonNullable<AccountQuery['account']>;
type Keys = NonNullable<AccountDetails['keys']>;

const route = getRouteApi('/signed-in/accounts/$id');

export function Account() {
  const { id } = route.useParams();
  const canEdit = useHasScope('administration:write');
  const account = useGraphQuery(accountQuery, { id });
  const details = account.data?.account;
  return (
    <Screen
      title={details?.name ?? 'Account'}
      description={details && <StatusBadge status={details.status} />}
      actions={details && (canEdit ? <AccountActions account={details} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={account} name="account">
        {(data) => (data.account === null ? <EmptyState title="Account not found" /> : <AccountSummary account={data.account} />)}
      </QueryResult>
      {details && (
        <>
          <AccountKeys id={id} keys={details.keys} />
          <AccountMembers id={id} canEdit={canEdit} isActive={details.status === 'ACTIVE'} />
          <AccountUsage id={id} />
          <RequestAnalytics accountId={id} />
          <Contracts id={id} canEdit={canEdit && details.status !== 'CLOSED'} />
          <Statements id={id} />
          <History resourceType="account" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

/** The lists that belong to the account. */
const AccountLinks = ({ id }: { readonly id: string }) => (
  <Group gap="xs">
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/webhooks" search={{ account: id }} {...props} />}>
      Webhooks
    </Button>
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/saved-searches" search={{ account: id }} {...props} />}>
      Saved searches
    </Button>
  </Group>
);

const AccountSummary = ({ account }: { readonly account: AccountDetails }) => (
  <Section title="Details" controls={<AccountLinks id={account.id} />}>
    <DescriptionList
      items={[
        ['Email', account.email ?? 'None'],
        [
          'Organization',
          account.organizationId === null ? 'None' : <OrganizationName key="organization" id={account.organizationId} />,
        ],
        ['Live API keys', formatCount(account.liveKeys)],
        ['Requests in the last 24 hours', formatCount(account.requestsLast24Hours)],
        ['Created', <Timestamp key="created" at={account.createdAt} />],
        ['Updated', <Timestamp key="updated" at={account.updatedAt} />],
        ['Account ID', <CopyableId key="id" label="account ID" id={account.id} />],
      ]}
    />
  </Section>
);

const keyColumns: readonly Column<Keys['nodes'][number]>[] = [
  { title: 'API key', cell: (key) => <KeyLink {...key} /> },
  { title: 'Public ID', cell: ({ publicId }) => <CopyableId label="public ID" id={publicId} /> },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  { title: 'Status', cell: (key) => <KeyStatusCell {...key} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} fallback="Never" /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} fallback="Never" /> },
];

const AccountKeys = ({ id, keys }: { readonly id: string; readonly keys: Keys | null }) => (
  <Section
    title="API keys"
    controls={
      <Button size="xs" variant="default" renderRoot={(props) => <Link to="/keys" search={{ account: id }} {...props} />}>
        {keys?.pageInfo.nextCursor == null ? 'Open in list' : 'View all'}
      </Button>
    }
  >
    <DataTable
      label="API keys of the account"
      columns={keyColumns}
      rows={keys?.nodes ?? []}
      rowKey={({ id: keyId }) => keyId}
      empty={<EmptyState title="No API keys yet">Issue a key to give this account write access.</EmptyState>}
    />
  </Section>
);
