/** What a key has used of its day and its month. */
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Moment } from '../../parts/moment.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';

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

const refreshMs = 15_000;

export function KeyQuota({ id }: { readonly id: string }) {
  const quota = useAsk(keyQuotaQuery, { id }, { everyMs: refreshMs });
  return (
    <Section title="Quota">
      <Answered of={quota} name="the quota" lines={2}>
        {({ apiKey }) =>
          apiKey?.quota ? (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
              <Window label="Today" {...apiKey.quota.day} />
              <Window label="This month" {...apiKey.quota.month} />
            </SimpleGrid>
          ) : (
            <Text c="dimmed">Nothing is counted yet.</Text>
          )
        }
      </Answered>
    </Section>
  );
}

interface WindowProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly resetAt: string;
}

/** Of the limit, in percent: from here it is told as warning, and as used up. */
const warnAt = 80;
const full = 100;

function Window({ label, used, limit, resetAt }: WindowProps) {
  const part = limit === 0 ? full : Math.min(full, (used / limit) * full);
  const color = part >= full ? 'red.7' : part >= warnAt ? 'orange.6' : 'indigo.6';
  const words = part >= full ? ', used up' : part >= warnAt ? ', nearly used up' : '';
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{label}</Text>
        <Text>
          {count(used)} of {count(limit)} ({percent(used, limit)}
          {words})
        </Text>
      </Group>
      <Progress value={Math.round(part * 10) / 10} color={color} size="lg" aria-label={`${label}: units used, percent`} />
      <Text size="xs" c="dimmed">
        Begins again <Moment at={resetAt} />
      </Text>
    </Stack>
  );
}
