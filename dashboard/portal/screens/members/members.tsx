/** The members of the account, and for owners the open invitations. */
import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { memberRoleNames, memberRoles } from '../../../../schema/member-roles.ts';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumLabel } from '../../../components/enum-label.ts';
import { InviteDialog } from '../../../components/members/invite-dialog.tsx';
import { MemberMenu } from '../../../components/members/member-menu.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { SetupLinkDialog, type SetupLink } from '../../../components/setup-link-dialog.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { useHasScope } from '../../../session/session.ts';
import type { AccountMembersQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { Invitations } from './invitations.tsx';
import { LeaveAccount } from './leave-account.tsx';

const membersQuery = graphql(`
  query AccountMembers {
    accountMembers {
      id
      name
      email
      role
      createdAt
      lastSignedInAt
      hasSecondFactor
      isCurrent
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

const inviteMutation = graphql(`
  mutation InviteMember($email: String!, $role: MemberRole!) {
    created: inviteMember(email: $email, role: $role) {
      setupPath
      expiresAt
      invitation {
        email
      }
    }
  }
`);

type Member = NonNullable<AccountMembersQuery['accountMembers']>[number];

const columns: readonly Column<Member>[] = [
  {
    title: 'Name',
    cell: ({ name, isCurrent }) => (
      <Group gap="xs" wrap="nowrap">
        {name}
        {isCurrent && (
          <Badge miw="max-content" tt="none">
            You
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No') },
  { title: 'Last sign-in', cell: ({ lastSignedInAt }) => <Timestamp at={lastSignedInAt} fallback="Never" /> },
  { title: 'Member since', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

/** What members create belongs to the account, and remains when they leave. */
const KeysAndWebhooks = () => (
  <>
    <Anchor inherit c="inherit" underline="always" renderRoot={(props) => <Link to="/keys" {...props} />}>
      API keys
    </Anchor>
    {', '}
    <Anchor inherit c="inherit" underline="always" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
      webhooks
    </Anchor>
  </>
);

const actions: Column<Member> = {
  title: 'Actions',
  cell: (member) =>
    !member.isCurrent && (
      <MemberMenu member={member} changeRole={changeRoleMutation} remove={removeMutation} remains={<KeysAndWebhooks />} />
    ),
};

export function Members() {
  const members = useGraphQuery(membersQuery, {});
  const canManage = useHasScope('members:write');
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<SetupLink | null>(null);
  const owners = members.data?.accountMembers?.filter(({ role }) => role === 'OWNER') ?? [];
  const isLastOwner = owners.length === 1 && owners[0]?.isCurrent === true;
  return (
    <Screen
      title="Members"
      description="People with access to this account, and their roles."
      actions={
        canManage ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            Invite member
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Only owners can manage members.
          </Text>
        )
      }
    >
      <QueryResult query={members} name="members">
        {({ accountMembers }) => (
          <DataTable
            label="Members"
            columns={canManage ? [...columns, actions] : columns}
            rows={accountMembers ?? []}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No members" />}
          />
        )}
      </QueryResult>
      {canManage && <Invitations />}
      <Section title="Roles">
        <DescriptionList items={memberRoleNames.map((name) => [enumLabel(name), memberRoles[name].allows])} />
      </Section>
      {members.data !== undefined && <LeaveAccount isLastOwner={isLastOwner} />}
      <InviteDialog
        opened={inviting}
        close={() => setInviting(false)}
        onLink={setLink}
        document={inviteMutation}
        variablesOf={(values) => values}
        role="DEVELOPER"
      />
      <SetupLinkDialog kind="INVITATION" link={link} close={() => setLink(null)} />
    </Screen>
  );
}
