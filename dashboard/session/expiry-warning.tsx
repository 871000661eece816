/** Says some minutes before a session ends for want of use, and offers to stay. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { request } from '../graph/request.ts';
import { sessionQuery, useTakeSession, type Session } from './session.ts';

const warnsBeforeMs = 3 * 60_000;
const looksEveryMs = 30_000;

export function ExpiryWarning() {
  const client = useQueryClient();
  const take = useTakeSession();
  // what others of this session's pages do prolongs it too: the platform knows
  const { data } = useQuery({ ...sessionQuery, refetchInterval: looksEveryMs });
  const now = useClock(looksEveryMs / 3);
  if (data?.state !== 'SIGNED_IN') return null;
  const endsAt = Math.min(Date.parse(data.idleExpiresAt), Date.parse(data.expiresAt));
  const leftMs = endsAt - now;
  if (leftMs > warnsBeforeMs) return null;
  const final = data.expiresAt <= data.idleExpiresAt;
  const stay = async (): Promise<void> => {
    await client.cancelQueries(sessionQuery);
    take((await request('/admin/session')) as Session);
  };
  return (
    <Alert color="orange" icon={<IconClock />} role="alert" mb="md">
      <Group justify="space-between">
        <Text>
          {leftMs < 60_000 ? 'The session ends within a minute' : `The session ends in ${Math.ceil(leftMs / 60_000)} minutes`}
          {final ? ': sign in again to go on.' : ' unless something is done.'}
        </Text>
        {!final && (
          <Button size="xs" onClick={() => void stay()}>
            Stay signed in
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
