/** The members of an account with their roles, and its open invitations. */
import { Anchor, Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountMembersQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { PortalUserLink } from '../../components/links.tsx';
import { InvitationTable } from '../../components/members/invitation-table.tsx';
import { InviteDialog } from '../../components/members/invite-dialog.tsx';
import { MemberMenu } from '../../components/members/member-menu.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { SetupLinkDialog, type SetupLink } from '../../components/setup-link-dialog.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

const membersQuery = graphql(`
  query AccountMembers($id: ID!) {
    account(id: $id) {
      id
      members {
        id
        name
        email
        role
        createdAt
        lastSignedInAt
        hasSecondFactor
        user {
          id
        }
      }
      invitations {
        id
        email
        role
        createdAt
        expiresAt
        invitedBy
      }
    }
  }
`);

const changeRoleMutation = graphql(`
  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {
    changeMemberRole(id: $id, role: $role) {
      id
    }
  }
`);

const removeMutation = graphql(`
  mutation RemoveMember($id: ID!) {
    removeMember(id: $id) {
      id
    }
  }
`);

const withdrawMutation = graphql(`
  mutation WithdrawInvitation($id: ID!) {
    withdrawInvitation(id: $id) {
      id
    }
  }
`);

const inviteMutation = graphql(`
  mutation InvitePortalUser($accountId: ID!, $email: String!, $role: MemberRole!) {
    created: invitePortalUser(accountId: $accountId, email: $email, role: $role) {
      setupPath
      expiresAt
      invitation {
        email
      }
    }
  }
`);

type Member = NonNullable<NonNullable<AccountMembersQuery['account']>['members']>[number];

const columns: readonly Column<Member>[] = [
  { title: 'Name', cell: ({ user, name }) => <PortalUserLink id={user.id} name={name} /> },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No') },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Timestamp at={lastSignedInAt} fallback="Never" /> },
  { title: 'Member since', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const actionsOf = (accountId: string): Column<Member> => ({
  title: 'Actions',
  cell: (member) => (
    <MemberMenu
      member={member}
      changeRole={changeRoleMutation}
      remove={removeMutation}
      remains={
        <Anchor
          inherit
          c="inherit"
          underline="always"
          renderRoot={(props) => <Link to="/webhooks" search={{ account: accountId }} {...props} />}
        >
          webhooks
        </Anchor>
      }
    />
  ),
});

interface AccountMembersProps {
  /** ID of the account. */
  readonly id: string;
  readonly canEdit: boolean;
  /** Whether persons can be invited. */
  readonly isActive: boolean;
}

export function AccountMembers({ id, canEdit, isActive }: AccountMembersProps) {
  const query = useGraphQuery(membersQuery, { id });
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<SetupLink | null>(null);
  const members = query.data?.account?.members ?? [];
  const invitations = query.data?.account?.invitations ?? [];
  const invite = canEdit && isActive && <InviteButton open={() => setInviting(true)} />;
  return (
    <>
      <Section title="Members" controls={invite}>
        <QueryResult query={query} name="members" lines={3}>
          {() => (
            <DataTable
              label="Members"
              columns={canEdit ? [...columns, actionsOf(id)] : columns}
              rows={members}
              rowKey={(member) => member.id}
              empty={
                <EmptyState title="No members yet" action={invite}>
                  Members sign in to the partner portal and manage the API keys of the account.
                </EmptyState>
              }
            />
          )}
        </QueryResult>
      </Section>
      {invitations.length > 0 && (
        <Section title="Open invitations">
          <InvitationTable
            invitations={invitations}
            withdraw={canEdit ? withdrawMutation : null}
            empty={<EmptyState title="No open invitations" />}
          />
        </Section>
      )}
      <InviteDialog
        opened={inviting}
        close={() => setInviting(false)}
        onLink={setLink}
        document={inviteMutation}
        variablesOf={(values) => ({ accountId: id, ...values })}
        role={members.length === 0 ? 'OWNER' : 'DEVELOPER'}
      />
      <SetupLinkDialog kind="INVITATION" link={link} close={() => setLink(null)} />
    </>
  );
}

const InviteButton = ({ open }: { readonly open: () => void }) => (
  <Button size="xs" variant="default" leftSection={<IconUserPlus size={14} aria-hidden />} onClick={open}>
    Invite member
  </Button>
);
