/** A table that scrolls horizontally in its frame, also with the keyboard. */
import { Table, type TableProps } from '@mantine/core';

interface ScrollableTableProps extends TableProps {
  readonly label: string;
  readonly maxHeight?: number;
}

export const ScrollableTable = ({ label, maxHeight, children, ...rest }: ScrollableTableProps) => (
  <div role="group" aria-label={`${label} table`} tabIndex={0} style={{ overflow: 'auto', maxHeight }}>
    <Table aria-label={label} {...rest}>
      {children}
    </Table>
  </div>
);
