/** The API keys of the overview: those with the most requests, and those close to their quota. */
import { Box, Progress, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { OverviewKeysQuery } from '../../generated/graphql.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AccountLink, KeyLink } from '../../components/links.tsx';
import { formatCount } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';

interface KeysProps {
  readonly keys: UseQueryResult<OverviewKeysQuery, RequestError>;
}

type Use = NonNullable<OverviewKeysQuery['topKeys']>[number];
type Near = NonNullable<OverviewKeysQuery['keysNearQuota']>[number];

const keyCell = ({ apiKey: { id, name } }: Pick<Near, 'apiKey'>) => <KeyLink id={id} name={name} />;

const topColumns: readonly Column<Use>[] = [
  { title: 'API key', cell: keyCell },
  { title: 'Account', cell: ({ apiKey: { account } }) => <AccountLink id={account.id} name={account.name} /> },
  { title: 'Requests', cell: ({ requests }) => formatCount(requests), numeric: true },
  { title: 'Units', cell: ({ units }) => formatCount(units), numeric: true },
];

export const TopKeys = ({ keys }: KeysProps) => (
  <Section title="Top API keys today">
    <QueryResult query={keys} name="API keys" lines={4}>
      {({ topKeys }) => (
        <DataTable
          label="Top API keys today"
          columns={topColumns}
          rows={topKeys ?? []}
          rowKey={({ apiKey }) => apiKey.id}
          empty={<EmptyState title="No requests with an API key today" />}
        />
      )}
    </QueryResult>
  </Section>
);

const windows = { DAY: 'day', MONTH: 'month' } as const;

const nearColumns: readonly Column<Near>[] = [
  { title: 'API key', cell: keyCell },
  { title: 'Account', cell: ({ apiKey: { account } }) => <AccountLink id={account.id} name={account.name} /> },
  { title: 'Used', cell: (near) => <Used {...near} /> },
];

function Used({ used, limit, percent, window, apiKey }: Near) {
  return (
    <Box miw={140}>
      <Text size="sm">
        {formatCount(used)} of {formatCount(limit)} per {windows[window]} ({percent}%)
      </Text>
      <Progress value={percent} color={percent >= 100 ? 'red' : 'orange'} aria-label={`Quota used by ${apiKey.name}`} />
    </Box>
  );
}

export const KeysNearQuota = ({ keys }: KeysProps) => (
  <Section title="API keys near their quota">
    <QueryResult query={keys} name="API keys near their quota" lines={4}>
      {({ keysNearQuota }) => (
        <DataTable
          label="API keys near their quota"
          columns={nearColumns}
          rows={keysNearQuota ?? []}
          rowKey={({ apiKey, window }) => `${apiKey.id} ${window}`}
          empty={<EmptyState title="No API keys near their quota">No key has used 80% of its daily or monthly quota.</EmptyState>}
        />
      )}
    </QueryResult>
  </Section>
);
