/** The first screen: requests, API keys and health of the platform, refetched while visible. */
import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { Screen } from '../../components/screen.tsx';
import { RequestAnalytics } from '../requests/request-analytics.tsx';
import { FailingWebhooks } from './failing-webhooks.tsx';
import { Health } from './health.tsx';
import { KeysNearQuota, TopKeys } from './busy-keys.tsx';
import { Requests, Today, TopAreas, useRequests } from './requests.tsx';

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
  const keys = useGraphQuery(keysQuery, {}, { refetchEveryMs });
  const updatedAt = Math.min(...[requests.usage, keys].map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Screen
      title="Overview"
      description="Traffic, API keys and health of the platform."
      actions={
        updatedAt > 0 && (
          <Text size="sm" c="dimmed">
            Updated <Timestamp at={new Date(updatedAt).toISOString()} seconds />, refreshes every {refetchEveryMs / 1000} seconds
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
      <RequestAnalytics />
      <FailingWebhooks />
    </Screen>
  );
}

/** Displayed while the platform has no API keys. */
const FirstSteps = () => (
  <Alert icon={<IconKey />} title="No API keys yet">
    <Stack gap="xs" align="flex-start">
      <Text>Public reads need no API key. Writes and higher read limits do. Issue the first key together with its account.</Text>
      <Button renderRoot={(props) => <Link to="/keys/issue" search={{}} {...props} />}>Issue API key</Button>
    </Stack>
  </Alert>
);
