/** A table that scrolls horizontally in its frame, also with the keyboard. */
import { Table, type TableProps } from '@mantine/core';
import { useTableDensity } from './table-density.ts';

interface ScrollableTableProps extends TableProps {
  readonly label: string;
  readonly maxHeight?: number;
}

export function ScrollableTable({ label, maxHeight, children, ...rest }: ScrollableTableProps) {
  const [density] = useTableDensity();
  return (
    <div role="group" aria-label={`${label} table`} tabIndex={0} style={{ overflow: 'auto', maxHeight }}>
      <Table aria-label={label} {...rest} {...(density === 'COMPACT' && { verticalSpacing: 2 })}>
        {children}
      </Table>
    </div>
  );
}
