/** The keys of the overview: those that ask most, and those that soon may ask no more. */
import { Box, Progress, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { OverviewKeysQuery } from '../../generated/graphql.ts';
import type { Failure } from '../../graph/failure.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { AccountLink, KeyLink } from '../../parts/links.tsx';
import { count } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';

interface KeysProps {
  readonly keys: UseQueryResult<OverviewKeysQuery, Failure>;
}

type Use = NonNullable<OverviewKeysQuery['topKeys']>[number];
type Near = NonNullable<OverviewKeysQuery['keysNearQuota']>[number];

const keyCell = ({ apiKey: { id, name } }: Pick<Near, 'apiKey'>) => <KeyLink id={id} name={name} />;

const topColumns: readonly Column<Use>[] = [
  { title: 'Key', cell: keyCell },
  { title: 'Account', cell: ({ apiKey: { account } }) => <AccountLink id={account.id} name={account.name} /> },
  { title: 'Requests', cell: ({ requests }) => count(requests), numeric: true },
  { title: 'Units', cell: ({ units }) => count(units), numeric: true },
];

export const TopKeys = ({ keys }: KeysProps) => (
  <Section title="Keys that ask most today">
    <Answered of={keys} name="keys" lines={4}>
      {({ topKeys }) => (
        <DataTable
          label="Keys that ask most today"
          columns={topColumns}
          rows={topKeys ?? []}
          rowKey={({ apiKey }) => apiKey.id}
          empty={<Empty title="No key asked anything today" />}
        />
      )}
    </Answered>
  </Section>
);

const windows = { DAY: 'day', MONTH: 'month' } as const;

const nearColumns: readonly Column<Near>[] = [
  { title: 'Key', cell: keyCell },
  { title: 'Account', cell: ({ apiKey: { account } }) => <AccountLink id={account.id} name={account.name} /> },
  { title: 'Used', cell: (near) => <Used {...near} /> },
];

function Used({ used, limit, percent, window, apiKey }: Near) {
  return (
    <Box miw={140}>
      <Text size="sm">
        {count(used)} of {count(limit)} a {windows[window]} ({percent}%)
      </Text>
      <Progress value={percent} color={percent >= 100 ? 'red' : 'orange'} aria-label={`Used by ${apiKey.name}`} />
    </Box>
  );
}

export const KeysNearQuota = ({ keys }: KeysProps) => (
  <Section title="Keys near their quota">
    <Answered of={keys} name="keys near their quota" lines={4}>
      {({ keysNearQuota }) => (
        <DataTable
          label="Keys near their quota"
          columns={nearColumns}
          rows={keysNearQuota ?? []}
          rowKey={({ apiKey, window }) => `${apiKey.id} ${window}`}
          empty={<Empty title="None">No key has used 80% of its day or month.</Empty>}
        />
      )}
    </Answered>
  </Section>
);
