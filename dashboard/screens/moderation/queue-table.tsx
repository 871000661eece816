/** A queue: a table whose rows are decided one after the other; when one has left, the next has the focus. */
import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { DecisionDialog, type Decided, type Decision } from './decision-dialog.tsx';

interface QueueTableProps<Row> {
  /** "Organizations that wait" */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null } | undefined;
  readonly about: (row: Row) => Decided;
  /** What may be done about a row; nothing for who only looks. */
  readonly decisions: (row: Row) => readonly Decision[];
}

interface Asked extends Decided {
  readonly decision: Decision | null;
}

export function QueueTable<Row>({ label, columns, rows, pageInfo, about, decisions }: QueueTableProps<Row>) {
  const [asked, setAsked] = useState<Asked>({ id: '', name: '', decision: null });
  const place = useRef<HTMLDivElement>(null);
  const leaving = useRef<{ readonly id: string; readonly index: number }>(null);
  const ids = rows.map((row) => about(row).id);

  useEffect(() => {
    if (leaving.current === null || ids.includes(leaving.current.id)) return;
    const next = Math.min(leaving.current.index, ids.length - 1);
    leaving.current = null;
    const first = place.current?.querySelector<HTMLElement>(`tbody tr:nth-child(${next + 1}) button`);
    (first ?? place.current)?.focus();
  });

  const close = (): void => setAsked((before) => ({ ...before, decision: null }));
  const decided = (): void => {
    leaving.current = { id: asked.id, index: ids.indexOf(asked.id) };
    close();
  };
  const decide: Column<Row> = {
    title: 'Decide',
    cell: (row) => (
      <Group gap={6} wrap="nowrap">
        {decisions(row).map((decision) => (
          <Button
            key={decision.verb}
            size="compact-sm"
            variant="default"
            onClick={() => setAsked({ ...about(row), decision })}
            aria-label={`${decision.verb} ${about(row).name}`}
          >
            {decision.verb}
          </Button>
        ))}
      </Group>
    ),
  };
  const isDecided = rows.some((row) => decisions(row).length > 0);
  return (
    <div ref={place} tabIndex={-1}>
      <DataTable
        label={label}
        columns={isDecided ? [...columns.slice(0, 1), decide, ...columns.slice(1)] : columns}
        rows={rows}
        rowKey={(row) => about(row).id}
        pageInfo={pageInfo}
        empty={<Empty title="Nothing waits here" />}
      />
      <DecisionDialog {...asked} close={close} done={decided} />
    </div>
  );
}
