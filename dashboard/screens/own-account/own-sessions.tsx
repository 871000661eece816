/** The sessions of the signed-in administrator, with buttons to end them. */
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { OwnSessionsQuery } from '../../generated/graphql.ts';
import { useGraphQuery, useGraphMutation } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { browserName } from '../../session/browser-name.ts';
import { useHasScope } from '../../session/session.ts';
import { useSignOut } from '../../session/sign-out.ts';

const sessionsQuery = graphql(`
  query OwnSessions($id: ID!) {
    administrator(id: $id) {
      id
      sessions {
        id
        createdAt
        lastSeenAt
        expiresAt
        address
        userAgent
        current
      }
    }
  }
`);

const endSession = graphql(`
  mutation EndOwnSession($id: ID!) {
    endAdministratorSession(id: $id) {
      id
    }
  }
`);

type Session = NonNullable<NonNullable<OwnSessionsQuery['administrator']>['sessions']>[number];

const columns: readonly Column<Session>[] = [
  {
    title: 'Browser',
    cell: ({ userAgent, current }) => (
      <Group gap="xs" wrap="nowrap">
        {browserName(userAgent)}{' '}
        {current && (
          <Badge miw="max-content" tt="none">
            Current
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Network', cell: ({ address }) => address },
  { title: 'Signed in', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Last used', cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
];

const actions: Column<Session> = {
  title: 'Actions',
  cell: (session) => !session.current && <EndButton session={session} />,
};

function EndButton({ session }: { readonly session: Session }) {
  const { mutate, isPending } = useGraphMutation(endSession, { successMessage: 'Session ended' });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      aria-label={`End session: ${browserName(session.userAgent)}, ${session.address}`}
      onClick={() => mutate({ id: session.id })}
    >
      End
    </Button>
  );
}

export function OwnSessions({ id }: { readonly id: string }) {
  const sessions = useGraphQuery(sessionsQuery, { id });
  const signOut = useSignOut();
  const canEnd = useHasScope('administrators:write');
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={2}>Sessions</Title>
            <Text c="dimmed">
              The browsers where you are signed in. If you do not recognize one, end it and change your password.
            </Text>
          </div>
          <Button color="red" variant="outline" loading={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
            Sign out everywhere
          </Button>
        </Group>
        <QueryResult query={sessions} name="sessions" lines={3}>
          {({ administrator }) => (
            <DataTable
              label="Sessions"
              columns={canEnd ? [...columns, actions] : columns}
              rows={administrator?.sessions ?? []}
              rowKey={(session) => session.id}
              empty={<EmptyState title="No active sessions">Your session has just ended. Sign in again.</EmptyState>}
            />
          )}
        </QueryResult>
      </Stack>
    </Paper>
  );
}
