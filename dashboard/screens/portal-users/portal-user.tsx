/** One portal user: details, accounts with roles, sessions, history and actions. */
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { PortalUserQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { History } from '../../components/history.tsx';
import { AccountLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { browserName } from '../../session/browser-name.ts';
import { useHasScope } from '../../session/session.ts';
import { signInMethods } from '../../session/sign-in-methods.ts';
import { PortalUserMenu } from './portal-user-menu.tsx';

const portalUserQuery = graphql(`
  query PortalUser($id: ID!) {
    portalUser(id: $id) {
      id
      createdAt
      updatedAt
      name
      email
      emailVerifiedAt
      status
      lastSignedInAt
      signsInBy
      hasSecondFactor
      hasPasskeys
      erasedAt
      memberships {
        id
        role
        createdAt
        account {
          id
          name
          status
        }
      }
      sessions {
        id
        createdAt
        lastSeenAt
        address
        userAgent
        signedInBy
      }
    }
  }
`);

type User = NonNullable<PortalUserQuery['portalUser']>;
type Membership = NonNullable<User['memberships']>[number];
type Session = NonNullable<User['sessions']>[number];

const route = getRouteApi('/signed-in/portal-users/$id');

export function PortalUser() {
  const { id } = route.useParams();
  const query = useGraphQuery(portalUserQuery, { id });
  const user = query.data?.portalUser;
  return (
    <Screen
      title={user?.name ?? 'Portal user'}
      description={user && <StatusBadge status={user.status} />}
      actions={user && <Actions user={user} />}
    >
      <QueryResult query={query} name="portal user">
        {({ portalUser }) => (portalUser === null ? <EmptyState title="Portal user not found" /> : <Details user={portalUser} />)}
      </QueryResult>
      {user && (
        <>
          <Memberships memberships={user.memberships ?? []} />
          <Sessions sessions={user.sessions ?? []} />
          <History resourceType="portal_user" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

interface UserProps {
  readonly user: User;
}

const Actions = ({ user }: UserProps) =>
  useHasScope('administration:write') ? (
    <PortalUserMenu user={user}>
      <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
        Actions
      </Button>
    </PortalUserMenu>
  ) : (
    <ReadOnlyNotice />
  );

const Details = ({ user }: UserProps) => (
  <Section title="Details">
    <DescriptionList
      items={[
        ['Email', user.email],
        ['Email confirmed', <Timestamp key="confirmed" at={user.emailVerifiedAt} fallback="No" />],
        ['Second factor', user.hasSecondFactor ? 'Yes' : 'No'],
        ['Passkeys', user.hasPasskeys ? 'Yes' : 'No'],
        ['Sign-in method', user.signsInBy && signInMethods[user.signsInBy]],
        ['Last sign-in', <Timestamp key="signed-in" at={user.lastSignedInAt} fallback="Never" />],
        ['Created', <Timestamp key="created" at={user.createdAt} />],
        ['Updated', <Timestamp key="updated" at={user.updatedAt} />],
        ['Erased', user.erasedAt && <Timestamp key="erased" at={user.erasedAt} />],
        ['User ID', <CopyableId key="id" label="user ID" id={user.id} />],
      ]}
    />
  </Section>
);

const membershipColumns: readonly Column<Membership>[] = [
  { title: 'Account', cell: ({ account }) => <AccountLink id={account.id} name={account.name} /> },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Status of the account', cell: ({ account }) => <StatusBadge status={account.status} /> },
  { title: 'Member since', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const Memberships = ({ memberships }: { readonly memberships: readonly Membership[] }) => (
  <Section title="Accounts">
    <DataTable
      label="Accounts of the user"
      columns={membershipColumns}
      rows={memberships}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No accounts">Invite this email address on the page of an account.</EmptyState>}
    />
  </Section>
);

const sessionColumns: readonly Column<Session>[] = [
  { title: 'Browser', cell: ({ userAgent }) => browserName(userAgent) },
  { title: 'Network', cell: ({ address }) => address },
  { title: 'Sign-in method', cell: ({ signedInBy }) => signInMethods[signedInBy] },
  { title: 'Signed in', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Last used', cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
];

const Sessions = ({ sessions }: { readonly sessions: readonly Session[] }) => (
  <Section title="Sessions">
    <DataTable
      label="Sessions"
      columns={sessionColumns}
      rows={sessions}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No active sessions" />}
    />
  </Section>
);
