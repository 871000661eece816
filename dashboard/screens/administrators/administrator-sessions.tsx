/** The dialog with the active sessions of an administrator, with buttons to end one or all. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useGraphMutation } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { browserName } from '../../session/browser-name.ts';
import type { Administrator } from './administrators.tsx';

const endOneMutation = graphql(`
  mutation EndAdministratorSession($id: ID!) {
    endAdministratorSession(id: $id) {
      id
    }
  }
`);

const endAllMutation = graphql(`
  mutation EndAdministratorSessions($id: ID!) {
    endAdministratorSessions(id: $id) {
      id
    }
  }
`);

type Session = NonNullable<Administrator['sessions']>[number];

interface SessionsProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly administrator: Administrator;
}

export const AdministratorSessions = ({ opened, close, administrator }: SessionsProps) => (
  <Modal opened={opened} onClose={close} title={`Sessions of ${administrator.name}`} size="xl">
    {opened && <Sessions administrator={administrator} />}
  </Modal>
);

function Sessions({ administrator: { id, name, sessions } }: Pick<SessionsProps, 'administrator'>) {
  const endOne = useGraphMutation(endOneMutation, { successMessage: 'Session ended' });
  const endAll = useGraphMutation(endAllMutation, { successMessage: `All sessions of ${name} ended` });
  const columns: readonly Column<Session>[] = [
    { title: 'Signed in', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { title: 'Last used', cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
    { title: 'Network', cell: ({ address }) => address },
    { title: 'Browser', cell: ({ userAgent }) => browserName(userAgent) },
    {
      title: 'Actions',
      cell: (session) =>
        session.current ? (
          'Current session'
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => endOne.mutate({ id: session.id })}
            aria-label={`End session from ${session.address}`}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Stack>
      <DataTable
        label="Sessions"
        columns={columns}
        rows={sessions ?? []}
        rowKey={(session) => session.id}
        empty={<EmptyState title="No active sessions" />}
      />
      {(sessions ?? []).length > 0 && (
        <Group justify="flex-end">
          <Button color="red" variant="outline" loading={endAll.isPending} onClick={() => endAll.mutate({ id })}>
            End all sessions
          </Button>
        </Group>
      )}
    </Stack>
  );
}
