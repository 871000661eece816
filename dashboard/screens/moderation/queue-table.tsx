/** The table of a moderation queue. After a decision removes a row, the focus moves to the next row. */
import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { DecisionDialog, type Subject } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';

interface QueueTableProps<Row> {
  /** "Organizations" */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null } | undefined;
  readonly subjectOf: (row: Row) => Subject;
  /** Whether the rows match a search. */
  readonly isFiltered: boolean;
  /** The available decisions; empty with read-only access. */
  readonly decisionsOf: (row: Row) => readonly Decision[];
}

interface PendingDecision extends Subject {
  readonly decision: Decision | null;
}

export function QueueTable<Row>({ label, columns, rows, pageInfo, subjectOf, isFiltered, decisionsOf }: QueueTableProps<Row>) {
  const [pending, setPending] = useState<PendingDecision>({ id: '', name: '', decision: null });
  const { container, focusAfter } = useNextRowFocus(rows.map((row) => subjectOf(row).id));
  const close = (): void => setPending((previous) => ({ ...previous, decision: null }));
  const actions: Column<Row> = {
    title: 'Actions',
    cell: (row) => (
      <Group gap={6} wrap="nowrap">
        {decisionsOf(row).map((decision) => (
          <Button
            key={decision.verb}
            size="compact-sm"
            variant="default"
            onClick={() => setPending({ ...subjectOf(row), decision })}
            aria-label={`${decision.verb} ${subjectOf(row).name}`}
          >
            {decision.verb}
          </Button>
        ))}
      </Group>
    ),
  };
  const hasActions = rows.some((row) => decisionsOf(row).length > 0);
  return (
    <div ref={container} tabIndex={-1}>
      <DataTable
        label={label}
        columns={hasActions ? [...columns.slice(0, 1), actions, ...columns.slice(1)] : columns}
        rows={rows}
        rowKey={(row) => subjectOf(row).id}
        pageInfo={pageInfo}
        empty={isFiltered ? <NoMatches title="No matching items" /> : <EmptyState title="No items to review" />}
      />
      <DecisionDialog
        {...pending}
        close={close}
        onSuccess={() => {
          focusAfter(pending.id);
          close();
        }}
      />
    </div>
  );
}

/** Moves the focus to the row that follows a removed row. */
function useNextRowFocus(ids: readonly string[]) {
  const container = useRef<HTMLDivElement>(null);
  const removed = useRef<{ readonly id: string; readonly index: number }>(null);
  useEffect(() => {
    if (removed.current === null || ids.includes(removed.current.id)) return;
    const next = Math.min(removed.current.index, ids.length - 1);
    removed.current = null;
    const button = container.current?.querySelector<HTMLElement>(`tbody tr:nth-child(${next + 1}) button`);
    (button ?? container.current)?.focus();
  });
  return {
    container,
    focusAfter: (id: string): void => {
      removed.current = { id, index: ids.indexOf(id) };
    },
  };
}
