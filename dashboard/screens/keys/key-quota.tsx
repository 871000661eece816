/** The quota of an API key: units used of its daily and monthly limits. */
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount, formatPercent } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';

const keyQuotaQuery = graphql(`
  query ApiKeyQuota($id: ID!) {
    apiKey(id: $id) {
      quota {
        day {
          used
          limit
          resetAt
        }
        month {
          used
          limit
          resetAt
        }
      }
    }
  }
`);

export function KeyQuota({ id }: { readonly id: string }) {
  const quota = useGraphQuery(keyQuotaQuery, { id }, { refetchEveryMs });
  return (
    <Section title="Quota">
      <QueryResult query={quota} name="quota" lines={2}>
        {({ apiKey }) =>
          apiKey?.quota ? (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
              <Window label="Today" {...apiKey.quota.day} />
              <Window label="This month" {...apiKey.quota.month} />
            </SimpleGrid>
          ) : (
            <Text c="dimmed">No usage yet.</Text>
          )
        }
      </QueryResult>
    </Section>
  );
}

interface WindowProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly resetAt: string;
}

/** Percentages of the limit. */
const warningPercent = 80;
const fullPercent = 100;

function Window({ label, used, limit, resetAt }: WindowProps) {
  const usedPercent = limit === 0 ? fullPercent : Math.min(fullPercent, (used / limit) * fullPercent);
  const isExhausted = usedPercent >= fullPercent;
  const isNearLimit = usedPercent >= warningPercent;
  const color = isExhausted ? 'red.7' : isNearLimit ? 'orange.6' : 'indigo.6';
  const note = isExhausted ? ', exhausted' : isNearLimit ? ', near limit' : '';
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{label}</Text>
        <Text>
          {formatCount(used)} of {formatCount(limit)} ({formatPercent(used, limit)}
          {note})
        </Text>
      </Group>
      <Progress
        value={Math.round(usedPercent * 10) / 10}
        color={color}
        size="lg"
        aria-label={`${label}: percentage of the quota used`}
      />
      <Text size="xs" c="dimmed">
        Resets <Timestamp at={resetAt} />
      </Text>
    </Stack>
  );
}
