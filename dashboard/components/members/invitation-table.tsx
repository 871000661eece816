/** A table of open invitations to an account, with buttons that withdraw them. The document is that of the graph of the app. */
import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { Document } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { DataTable, type Column } from '../data-table.tsx';
import { enumLabel } from '../enum-label.ts';
import { Timestamp } from '../timestamp.tsx';

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly invitedBy: string;
}

type WithdrawDocument = Document<unknown, { id: string }>;

interface InvitationTableProps {
  readonly invitations: readonly Invitation[];
  /** Null for persons who cannot withdraw invitations. */
  readonly withdraw: WithdrawDocument | null;
  readonly empty: ReactNode;
}

const columns: readonly Column<Invitation>[] = [
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => enumLabel(role) },
  { title: 'Invited by', cell: ({ invitedBy }) => (invitedBy === 'ADMINISTRATOR' ? 'The operator' : invitedBy) },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
];

const actionsOf = (withdraw: WithdrawDocument): Column<Invitation> => ({
  title: 'Actions',
  cell: (invitation) => <Withdraw invitation={invitation} withdraw={withdraw} />,
});

export const InvitationTable = ({ invitations, withdraw, empty }: InvitationTableProps) => (
  <DataTable
    label="Open invitations"
    columns={withdraw === null ? columns : [...columns, actionsOf(withdraw)]}
    rows={invitations}
    rowKey={({ id }) => id}
    empty={empty}
  />
);

interface WithdrawProps {
  readonly invitation: Invitation;
  readonly withdraw: WithdrawDocument;
}

function Withdraw({ invitation: { id, email }, withdraw }: WithdrawProps) {
  const [opened, setOpened] = useState(false);
  const close = (): void => setOpened(false);
  const { mutate, isPending } = useGraphMutation(withdraw, { onSuccess: close, successMessage: 'Invitation withdrawn' });
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
