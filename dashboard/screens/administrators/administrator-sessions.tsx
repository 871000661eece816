/** The open sessions of an administrator, and the end of one or all. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { browserOf } from '../../session/browser-of.ts';
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
  readonly who: Administrator;
}

export const AdministratorSessions = ({ opened, close, who }: SessionsProps) => (
  <Modal opened={opened} onClose={close} title={`Sessions of ${who.name}`} size="xl">
    {opened && <Sessions who={who} />}
  </Modal>
);

function Sessions({ who: { id, name, sessions } }: Pick<SessionsProps, 'who'>) {
  const endOne = useChange(endOneMutation, { said: 'The session has ended' });
  const endAll = useChange(endAllMutation, { said: `${name} is signed out everywhere` });
  const columns: readonly Column<Session>[] = [
    { title: 'Began', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    { title: 'From', cell: ({ address }) => address },
    { title: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
    {
      title: 'Actions',
      cell: (session) =>
        session.current ? (
          'This one'
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => endOne.mutate({ id: session.id })}
            aria-label={`End the session from ${session.address}`}
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
        empty={<Empty title="No open session" />}
      />
      {(sessions ?? []).length > 0 && (
        <Group justify="flex-end">
          <Button color="red" variant="outline" loading={endAll.isPending} onClick={() => endAll.mutate({ id })}>
            End all
          </Button>
        </Group>
      )}
    </Stack>
  );
}
