/** The sessions of the signed-in user, with buttons to end them. */
import { Badge, Button, Group, Text } from '@mantine/core';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphMutation, useGraphQuery } from '../../../graph/operations.ts';
import { browserName } from '../../../session/browser-name.ts';
import { useSignOut } from '../../../session/sign-out.ts';
import type { OwnPortalSessionsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';

const sessionsQuery = graphql(`
  query OwnPortalSessions {
    member {
      user {
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
  }
`);

const endSession = graphql(`
  mutation EndOwnPortalSession($id: ID!) {
    endOwnSession(id: $id) {
      id
    }
  }
`);

type Session = NonNullable<NonNullable<OwnPortalSessionsQuery['member']>['user']['sessions']>[number];

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
  { title: 'Actions', cell: (session) => !session.current && <EndButton session={session} /> },
];

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

export function OwnSessions() {
  const sessions = useGraphQuery(sessionsQuery, {});
  const signOut = useSignOut();
  return (
    <Section
      title="Sessions"
      controls={
        <Button color="red" variant="outline" loading={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
          Sign out everywhere
        </Button>
      }
    >
      <Text c="dimmed">The browsers where you are signed in. If you do not recognize one, end it and change your password.</Text>
      <QueryResult query={sessions} name="sessions" lines={3}>
        {({ member }) => (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={member?.user.sessions ?? []}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No active sessions">Your session has just ended. Sign in again.</EmptyState>}
          />
        )}
      </QueryResult>
    </Section>
  );
}
