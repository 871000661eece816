/** The tables of analytics: operations and the most frequent errors. Rows link to their requests. */
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable, type Column } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { formatChange, formatCount, formatDuration, formatRate } from '../number-format.ts';
import { operationName } from './operation-name.ts';
import type { Analytics } from './analytics-section.tsx';

type Group = Analytics['groups'][number];
type ErrorCount = Analytics['errors'][number];

/** The filters that links to the request log have. */
export interface AnalyticsSearch {
  readonly account?: string;
  readonly key?: string;
}

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

/** A value with its change. */
const Changed = ({ value, change }: { readonly value: string; readonly change: string | null }) => (
  <span style={{ whiteSpace: 'nowrap' }}>
    {value}
    {change !== null && (
      <Text component="span" size="xs" c="dimmed" ml={6}>
        {change}
      </Text>
    )}
  </span>
);

function operationColumns(search: AnalyticsSearch): readonly Column<Group>[] {
  return [
    {
      title: 'Operation',
      cell: ({ api, name }) =>
        name === null || name === '(other)' ? (
          operationName(api, name)
        ) : (
          <Box miw={200} style={{ overflowWrap: 'anywhere' }}>
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/requests" search={{ ...search, operation: name }} {...props} />}
            >
              {operationName(api, name)}
            </Anchor>
          </Box>
        ),
    },
    {
      title: 'Requests',
      cell: ({ summary, previous }) => (
        <Changed value={formatCount(summary.requests)} change={formatChange(summary.requests, previous?.requests)} />
      ),
      numeric: true,
    },
    {
      title: 'Error rate',
      cell: ({ summary, previous }) => (
        <Changed value={formatRate(summary.errorRate)} change={formatChange(summary.errorRate, previous?.errorRate)} />
      ),
      numeric: true,
    },
    { title: 'p50', cell: ({ summary: { p50Ms } }) => <Changed value={duration(p50Ms)} change={null} />, numeric: true },
    {
      title: 'p95',
      cell: ({ summary: { p95Ms }, previous }) => (
        <Changed value={duration(p95Ms)} change={formatChange(p95Ms, previous?.p95Ms)} />
      ),
      numeric: true,
    },
    { title: 'p99', cell: ({ summary: { p99Ms } }) => <Changed value={duration(p99Ms)} change={null} />, numeric: true },
  ];
}

export const OperationTable = ({ groups, search }: { readonly groups: readonly Group[]; readonly search: AnalyticsSearch }) => (
  <DataTable
    label="Operations"
    columns={operationColumns(search)}
    rows={groups}
    rowKey={({ api, name }) => `${api} ${name}`}
    empty={<EmptyState title="No operations in this range" />}
  />
);

function errorColumns(search: AnalyticsSearch): readonly Column<ErrorCount>[] {
  return [
    {
      title: 'Error code',
      cell: ({ code }) => (
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/requests" search={{ ...search, errorCode: code }} {...props} />}
        >
          {code}
        </Anchor>
      ),
    },
    {
      title: 'Requests',
      cell: ({ requests, previous }) => <Changed value={formatCount(requests)} change={formatChange(requests, previous)} />,
      numeric: true,
    },
  ];
}

export const TopErrors = ({ errors, search }: { readonly errors: readonly ErrorCount[]; readonly search: AnalyticsSearch }) => (
  <DataTable
    label="Most frequent errors"
    columns={errorColumns(search)}
    rows={errors}
    rowKey={({ code }) => code}
    empty={<EmptyState title="No errors in this range" />}
  />
);
