/** Selected rows of a list, at most 100. The selection stays while the list shows another page. */
import { Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Column } from './data-table.tsx';

/** The number of rows that one bulk action can change. */
export const selectionMax = 100;

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface RowSelection<Row> {
  /** In the order in which they were selected. */
  readonly rows: readonly Row[];
  readonly clear: () => void;
  /** The column with a checkbox for each row, and one for the page. */
  readonly columnOf: (page: readonly Row[]) => Column<Row>;
}

export function useRowSelection<Row extends Named>(): RowSelection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const columnOf = useMemo(() => createColumns(selected, setSelected), [selected]);
  return { rows: [...selected.values()], clear: () => setSelected(new Map()), columnOf };
}

/** Returns a function that creates the column of a page, and returns the same one again: its cells render again only after a change. */
function createColumns<Row extends Named>(
  selected: ReadonlyMap<string, Row>,
  setSelected: (selected: ReadonlyMap<string, Row>) => void,
): RowSelection<Row>['columnOf'] {
  const known = new WeakMap<readonly Row[], Column<Row>>();
  const change = (rows: readonly Row[], isSelected: boolean): void => {
    const next = new Map(selected);
    for (const row of rows) {
      if (!isSelected) next.delete(row.id);
      else if (next.size < selectionMax) next.set(row.id, row);
    }
    setSelected(next);
  };
  const create = (page: readonly Row[]): Column<Row> => {
    const count = page.filter(({ id }) => selected.has(id)).length;
    return {
      title: 'Select',
      head: (
        <Checkbox
          aria-label="Select all rows on this page"
          checked={count > 0 && count === page.length}
          indeterminate={count > 0 && count < page.length}
          onChange={({ currentTarget }) => change(page, currentTarget.checked)}
        />
      ),
      cell: (row) => (
        <Checkbox
          aria-label={`Select ${row.name}`}
          checked={selected.has(row.id)}
          disabled={selected.size >= selectionMax && !selected.has(row.id)}
          onChange={({ currentTarget }) => change([row], currentTarget.checked)}
        />
      ),
    };
  };
  return (page) => {
    const column = known.get(page) ?? create(page);
    known.set(page, column);
    return column;
  };
}
