/** The quota of an API key: units used of its daily and monthly limits. */
import { SimpleGrid, Text } from '@mantine/core';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { QuotaWindow } from '../../components/usage/quota-window.tsx';
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
              <QuotaWindow label="Today" {...apiKey.quota.day} />
              <QuotaWindow label="This month" {...apiKey.quota.month} />
            </SimpleGrid>
          ) : (
            <Text c="dimmed">No usage yet.</Text>
          )
        }
      </QueryResult>
    </Section>
  );
}
