/** The one message of a page while the platform does not respond: the age of its data, and a retry. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { outage } from '../graph/outage.ts';
import { useClock } from '../session/expiry-warning.tsx';
import { sessionQuery } from '../session/session.ts';
import { formatRelative, Timestamp } from '../components/timestamp.tsx';

const checkEveryMs = 5_000;

export const OutageBanner = () => (outage.use() ? <Banner /> : null);

/** The time of the oldest data on the page; null without data. */
function useDataTime(): number | null {
  const queries = useQueryClient().getQueryCache().findAll({ type: 'active' });
  const times = queries
    .filter(({ queryKey, state }) => queryKey[0] !== sessionQuery.queryKey[0] && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length === 0 ? null : Math.min(...times);
}

function Banner() {
  const client = useQueryClient();
  const router = useRouter();
  const now = useClock(checkEveryMs);
  // any response ends the outage
  const check = useQuery({ ...sessionQuery, retry: false, refetchInterval: checkEveryMs });
  const dataTime = useDataTime();
  useEffect(
    () => () => {
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
      // loads the code of a screen that failed to load
      void router.invalidate();
    },
    [client, router],
  );
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconPlugConnectedX />}
      title="The platform does not respond"
      className="outage-banner"
    >
      <Group justify="space-between" gap="xs">
        <Text inherit>
          {dataTime === null ? (
            'Check that it is running.'
          ) : (
            <>
              The data on this page is from <Timestamp at={new Date(dataTime).toISOString()} />,{' '}
              {formatRelative(new Date(dataTime).toISOString(), now)}.
            </>
          )}{' '}
          This page tries again every {checkEveryMs / 1_000} seconds.
        </Text>
        <Button size="xs" variant="default" loading={check.isFetching} onClick={() => void check.refetch()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
