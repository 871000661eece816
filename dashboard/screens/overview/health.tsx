/** The health of each component of the platform. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import type { OverviewHealthQuery } from '../../generated/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { formatRelative } from '../../components/timestamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

// a separate query: the check of an unavailable component takes two seconds
const healthQuery = graphql(`
  query OverviewHealth {
    health {
      name
      status
      detail
      durationMs
    }
  }
`);

type Component = NonNullable<OverviewHealthQuery['health']>[number];

/** The status is null while it is unknown, because the last check of the page failed. */
type CheckedComponent = Omit<Component, 'status'> & { readonly status: Component['status'] | null };

const unknown = ({ name, status }: Component, checkedAt: number): CheckedComponent => ({
  name,
  status: null,
  durationMs: 0,
  detail: `${enumLabel(status)} ${formatRelative(new Date(checkedAt).toISOString())}`,
});

/** The details; those of the relay link to the screen that lists what is wrong. */
const Details = ({ name, detail }: CheckedComponent) =>
  name === 'relay' && detail !== null ? (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to="/event-delivery" {...props} />}>
      {detail}
    </Anchor>
  ) : (
    detail
  );

const columns: readonly Column<CheckedComponent>[] = [
  { title: 'Component', cell: ({ name }) => enumLabel(name) },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status ?? 'UNKNOWN'} /> },
  {
    title: 'Response time',
    cell: ({ durationMs, status }) => (status === null ? '–' : formatDuration(durationMs)),
    numeric: true,
  },
  { title: 'Details', cell: Details },
];

export function Health() {
  const health = useGraphQuery(healthQuery, {}, { refetchEveryMs });
  return (
    <Section title="Health">
      <QueryResult query={health} name="health">
        {({ health: components }) => (
          <DataTable
            label="Health"
            columns={columns}
            rows={health.isError ? (components ?? []).map((each) => unknown(each, health.dataUpdatedAt)) : (components ?? [])}
            rowKey={({ name }) => name}
            empty={<EmptyState title="No health data" />}
          />
        )}
      </QueryResult>
    </Section>
  );
}
