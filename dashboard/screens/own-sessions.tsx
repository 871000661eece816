/** Everywhere one is signed in, and the way to end each. */
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { OwnSessionsQuery } from '../generated/graphql.ts';
import { useAsk, useChange } from '../graph/ask.ts';
import { graphql } from '../graph/graphql.ts';
import { Answered } from '../parts/answered.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { browserOf } from '../session/browser-of.ts';
import { useMay } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';

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
        {browserOf(userAgent)} {current && <Badge miw="max-content">This one</Badge>}
      </Group>
    ),
  },
  { title: 'Address', cell: ({ address }) => address },
  { title: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { title: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const ending: Column<Session> = { title: 'End', cell: (session) => !session.current && <End session={session} /> };

function End({ session }: { readonly session: Session }) {
  const { mutate, isPending } = useChange(endSession, { said: 'Session ended' });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      aria-label={`End the session of ${browserOf(session.userAgent)} from ${session.address}`}
      onClick={() => mutate({ id: session.id })}
    >
      End
    </Button>
  );
}

export function OwnSessions({ id }: { readonly id: string }) {
  const sessions = useAsk(sessionsQuery, { id });
  const signOut = useSignOut();
  const mayEndOne = useMay('administrators:write');
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={2}>Sessions</Title>
            <Text c="dimmed">Where you are signed in. Whatever you do not know should end, and your password change.</Text>
          </div>
          <Button color="red" variant="outline" loading={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
            Sign out everywhere
          </Button>
        </Group>
        <Answered of={sessions} name="sessions" lines={3}>
          {({ administrator }) => (
            <DataTable
              label="Sessions"
              columns={mayEndOne ? [...columns, ending] : columns}
              rows={administrator?.sessions ?? []}
              rowKey={(session) => session.id}
              empty={<Empty title="No sessions">This one has just ended.</Empty>}
            />
          )}
        </Answered>
      </Stack>
    </Paper>
  );
}
