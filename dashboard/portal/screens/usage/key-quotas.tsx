/** The units that each active API key has used of its quota in the current day and month. */
import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { QuotaBar, quotaText } from '../../../components/usage/quota-window.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { KeyQuotasQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { KeyLink } from '../keys/key-link.tsx';
import { KeysButton } from '../keys/keys-button.tsx';

const quotasQuery = graphql(`
  query KeyQuotas($after: String) {
    ownKeys(first: 25, after: $after, filter: { status: [ACTIVE] }) {
      nodes {
        id
        name
        publicId
        requestsLast24Hours
        plan {
          name
        }
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
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Key = NonNullable<KeyQuotasQuery['ownKeys']>['nodes'][number];
type Window = NonNullable<Key['quota']>['day'];

const columns: readonly Column<Key>[] = [
  {
    title: 'API key',
    cell: ({ id, name, publicId }) => (
      <Stack gap={0} maw={320} miw={160}>
        <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          <KeyLink id={id} name={name} />
        </Text>
        <Text component="div" size="xs" c="dimmed">
          <CopyableId label={`public ID of ${name}`} id={publicId} size="xs" />
        </Text>
      </Stack>
    ),
  },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  { title: 'Units today', cell: ({ name, quota }) => <Used label={`${name}, today`} window={quota?.day} /> },
  { title: 'Units this month', cell: ({ name, quota }) => <Used label={`${name}, this month`} window={quota?.month} /> },
  {
    title: 'Requests in 24 hours',
    cell: ({ requestsLast24Hours }) => formatCount(requestsLast24Hours),
    numeric: true,
  },
];

const Used = ({ label, window }: { readonly label: string; readonly window: Window | undefined }) =>
  window === undefined ? (
    'No usage yet'
  ) : (
    <Stack gap={4} miw={190}>
      <Text inherit>{quotaText(window)}</Text>
      <QuotaBar label={label} used={window.used} limit={window.limit} size="sm" />
    </Stack>
  );

const route = getRouteApi('/signed-in/usage');

export function KeyQuotas() {
  const { after = null } = route.useSearch();
  const query = useGraphQuery(quotasQuery, { after }, { refetchEveryMs });
  return (
    <Section title="Quotas">
      <Text c="dimmed">
        Live keys that members create share one quota, and test keys another one. A key that the operator issued has its own.
      </Text>
      <QueryResult query={query} name="quotas" lines={3}>
        {({ ownKeys: page }) => (
          <>
            <DataTable
              label="Quotas"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              {...(page && { pageInfo: page.pageInfo })}
              empty={
                <EmptyState title="No active API keys" action={<KeysButton />}>
                  The usage of active keys appears here.
                </EmptyState>
              }
            />
            <Resets window={page?.nodes.find(({ quota }) => quota !== null)?.quota ?? null} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/** All quotas restart at the same times. */
const Resets = ({ window }: { readonly window: Key['quota'] }) =>
  window && (
    <Group gap="md" mt="xs">
      <Text size="xs" c="dimmed">
        The day resets <Timestamp at={window.day.resetAt} />
      </Text>
      <Text size="xs" c="dimmed">
        The month resets <Timestamp at={window.month.resetAt} />
      </Text>
    </Group>
  );
