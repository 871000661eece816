/** The open invitations of the account, with buttons that withdraw them. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../../components/action-dialog.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumLabel } from '../../../components/enum-label.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphMutation, useGraphQuery } from '../../../graph/operations.ts';
import type { AccountInvitationsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';

const invitationsQuery = graphql(`
  query AccountInvitations {
    accountInvitations {
      id
      email
      role
      createdAt
      expiresAt
      invitedBy
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

type Invitation = NonNullable<AccountInvitationsQuery['accountInvitations']>[number];

const columns: readonly Column<Invitation>[] = [
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Invited by', cell: ({ invitedBy }) => (invitedBy === 'ADMINISTRATOR' ? 'The operator' : invitedBy) },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
  { title: 'Actions', cell: (invitation) => <Withdraw invitation={invitation} /> },
];

export function Invitations() {
  const invitations = useGraphQuery(invitationsQuery, {});
  return (
    <Section title="Open invitations">
      <QueryResult query={invitations} name="invitations" lines={2}>
        {({ accountInvitations }) => (
          <DataTable
            label="Open invitations"
            columns={columns}
            rows={accountInvitations ?? []}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No open invitations">Invite a member to give a colleague access.</EmptyState>}
          />
        )}
      </QueryResult>
    </Section>
  );
}

function Withdraw({ invitation: { id, email } }: { readonly invitation: Invitation }) {
  const [opened, setOpened] = useState(false);
  const close = (): void => setOpened(false);
  const { mutate, isPending } = useGraphMutation(withdrawMutation, { onSuccess: close, successMessage: 'Invitation withdrawn' });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Withdraw the invitation of ${email}`}
        onClick={() => setOpened(true)}
      >
        Withdraw
      </Button>
      <ActionDialog
        opened={opened}
        close={close}
        title="Withdraw this invitation?"
        action="Withdraw"
        isPending={isPending}
        onConfirm={() => mutate({ id })}
      >
        <Text>The link that was sent to {email} becomes invalid.</Text>
      </ActionDialog>
    </>
  );
}
