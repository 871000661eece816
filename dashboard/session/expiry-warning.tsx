/** Warns a few minutes before the session expires, and offers to extend it. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { app } from '../graph/app.ts';
import { requestJson } from '../graph/request.ts';
import { sessionEnded, sessionQuery, useStoreSession, type Session } from './session.ts';

const warnBeforeMs = 3 * 60_000;
const refetchEveryMs = 30_000;

export function ExpiryWarning() {
  const client = useQueryClient();
  const storeSession = useStoreSession();
  // refetched because other tabs with this session extend it too
  const { data } = useQuery({ ...sessionQuery, refetchInterval: refetchEveryMs });
  const now = useClock(refetchEveryMs / 3);
  const hasEnded = sessionEnded.use();
  if (data?.state !== 'SIGNED_IN' || hasEnded) return null;
  const expiresAt = Math.min(Date.parse(data.idleExpiresAt), Date.parse(data.expiresAt));
  const remainingMs = expiresAt - now;
  if (remainingMs > warnBeforeMs) return null;
  const isFinal = data.expiresAt <= data.idleExpiresAt;
  const extend = async (): Promise<void> => {
    await client.cancelQueries(sessionQuery);
    storeSession(await requestJson<Session>(`${app.base}/session`));
  };
  return (
    <Alert color="orange" icon={<IconClock />} role="alert" mb="md">
      <Group justify="space-between">
        <Text>
          Your session expires in {remainingMs < 60_000 ? 'less than a minute' : `${Math.ceil(remainingMs / 60_000)} minutes`}
          {isFinal ? '. Save your work, then sign in again.' : ' due to inactivity.'}
        </Text>
        {!isFinal && (
          <Button size="xs" onClick={() => void extend()}>
            Stay signed in
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** The current time, updated every `everyMs`. */
export function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
