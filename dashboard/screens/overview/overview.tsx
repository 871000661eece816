/** The first screen: how the platform does, asked again while it is looked at. */
import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Moment } from '../../parts/moment.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Health } from './health.tsx';
import { KeysNearQuota, TopKeys } from './busy-keys.tsx';
import { Requests, Today, TopAreas, useRequests } from './requests.tsx';
import { refreshEveryMs } from './totals.ts';

const keysQuery = graphql(`
  query OverviewKeys {
    apiKeys(first: 1) {
      nodes {
        id
      }
    }
    used: topKeys(first: 100) {
      requests
    }
    topKeys(first: 8) {
      requests
      units
      apiKey {
        id
        name
        account {
          id
          name
        }
      }
    }
    keysNearQuota(first: 20) {
      window
      used
      limit
      percent
      apiKey {
        id
        name
        account {
          id
          name
        }
      }
    }
  }
`);

export function Overview() {
  const requests = useRequests();
  const keys = useAsk(keysQuery, {}, { everyMs: refreshEveryMs });
  const asOf = Math.min(...[requests.usage, keys].map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Screen
      title="Overview"
      says="How the platform is doing."
      actions={
        asOf > 0 && (
          <Text size="sm" c="dimmed">
            As of <Moment at={new Date(asOf).toISOString()} seconds />, asked again every {refreshEveryMs / 1000} seconds
          </Text>
        )
      }
    >
      {keys.data?.apiKeys?.nodes.length === 0 && <FirstSteps />}
      <Today usage={requests.usage} keysUsed={keys.data?.used?.length ?? null} />
      <Requests {...requests} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <TopKeys keys={keys} />
        <TopAreas usage={requests.usage} />
        <KeysNearQuota keys={keys} />
        <Health />
      </SimpleGrid>
    </Screen>
  );
}

/** Of a platform that nobody has a key of. */
const FirstSteps = () => (
  <Alert icon={<IconKey />} title="Nobody has a key yet">
    <Stack gap="xs" align="flex-start">
      <Text>Everybody may read; who writes, or reads much, needs a key. The first one is issued with its account.</Text>
      <Button component={Link} to="/keys">
        Issue a key
      </Button>
    </Stack>
  </Alert>
);
