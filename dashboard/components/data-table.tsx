/** A paginated table with sortable columns and an empty state. */
import { Group, Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useListState, type ListState } from './list-search.ts';
import { PageButtons } from './page-buttons.tsx';
import { ScrollableTable } from './scrollable-table.tsx';

export interface Column<Row> {
  readonly title: string;
  /** The head instead of the title. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned to the right. */
  readonly numeric?: boolean;
  /** The sort orders of this column. The first click selects the first one. */
  readonly sorts?: readonly [first: Sort, second: Sort];
}

export interface Sort {
  readonly sort: string;
  readonly direction: 'ascending' | 'descending';
}

/** Both sort orders of a column: `sortsBy('NAME')` is `NAME_ASC`, then `NAME_DESC`. */
export const sortsBy = (field: string, first: 'ascending' | 'descending' = 'ascending'): readonly [Sort, Sort] => {
  const up: Sort = { sort: `${field}_ASC`, direction: 'ascending' };
  const down: Sort = { sort: `${field}_DESC`, direction: 'descending' };
  return first === 'ascending' ? [up, down] : [down, up];
};

interface DataTableProps<Row> {
  /** Accessible name: "Plans". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The current sort order. */
  readonly sort?: string;
  /** Omitted for complete lists. */
  readonly pageInfo?: { readonly nextCursor: string | null };
  readonly empty: ReactNode;
}

export function DataTable<Row>({ label, columns, rows, rowKey, sort, pageInfo, empty }: DataTableProps<Row>) {
  const list = useListState();
  if (rows.length === 0 && list.previous === null) return <Paper withBorder>{empty}</Paper>;
  return (
    <Paper withBorder>
      <ScrollableTable
        label={label}
        highlightOnHover
        highlightOnHoverColor="var(--row-hover)"
        verticalSpacing="xs"
        horizontalSpacing="sm"
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} sort={sort} list={list} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollableTable>
      {pageInfo && (
        <Pagination label={label} count={rows.length} nextCursor={pageInfo.nextCursor} isFirst={list.previous === null} />
      )}
    </Paper>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
}

function PlainCell<Row>({ column: { cell, numeric }, row }: CellProps<Row>) {
  return <Table.Td ta={numeric ? 'right' : undefined}>{cell(row)}</Table.Td>;
}

/** Renders again only when its row or column changes: cells are the largest part of a screen. Cast: memo has no type parameter. */
const Cell = memo(PlainCell) as typeof PlainCell;

interface ColumnHeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly list: ListState;
}

function ColumnHead<Row>({ column: { title, head, numeric, sorts }, sort, list }: ColumnHeadProps<Row>) {
  const ta = numeric ? 'right' : undefined;
  if (sorts === undefined)
    return (
      <Table.Th ta={ta} style={{ whiteSpace: 'nowrap' }}>
        {head ?? title}
      </Table.Th>
    );
  const current = sorts.find((candidate) => candidate.sort === sort);
  const next = current === sorts[0] ? sorts[1] : sorts[0];
  const Icon = current === undefined ? IconArrowsSort : current.direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th ta={ta} aria-sort={current?.direction ?? 'none'} style={{ whiteSpace: 'nowrap' }}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => list.set({ sort: next.sort })}>
        {title} <Icon size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

interface PaginationProps {
  readonly label: string;
  readonly count: number;
  readonly nextCursor: string | null;
  /** Whether there is no previous page. */
  readonly isFirst: boolean;
}

function Pagination({ label, count, nextCursor, isFirst }: PaginationProps) {
  if (isFirst && nextCursor === null)
    return (
      <Text size="sm" c="dimmed" p="sm" aria-live="polite">
        {count === 1 ? '1 row' : `${count} rows`}
      </Text>
    );
  return (
    <Group component="nav" justify="space-between" p="sm" aria-label={`${label} pages`}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {count} rows on this page
      </Text>
      <PageButtons nextCursor={nextCursor} />
    </Group>
  );
}
