/** The live tail of the events: new events on top, with pause and resume. Screen readers hear a summary, not each row. */
import { Alert, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Column } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LiveControls } from '../live-controls.tsx';
import { formatCount } from '../number-format.ts';
import { QueryResult } from '../query-result.tsx';
import { EventTable, type ListedEvent } from './event-table.tsx';
import { rowsMax, useEventTail, type TailSource } from './event-tail.ts';

interface LiveTailProps<Row extends ListedEvent> {
  readonly source: TailSource<Row>;
  readonly columns: readonly Column<Row>[];
  readonly onSelect: (id: string) => void;
}

export function LiveTail<Row extends ListedEvent>({ source, columns, onSelect }: LiveTailProps<Row>) {
  const [isPaused, setPaused] = useState(false);
  const tail = useEventTail(source, isPaused);
  return (
    <>
      <LiveControls name="events" rows={rowsMax} isPaused={isPaused} setPaused={setPaused} />
      <Announcement received={tail.data?.received ?? 0} isPaused={isPaused} />
      {tail.data?.hasGaps === true && (
        <Alert color="orange" icon={<IconAlertTriangle />} mb="sm">
          Events arrived faster than this page reads them, so some are missing here. The log has all of them.
        </Alert>
      )}
      <QueryResult query={tail} name="events">
        {({ events }) => (
          <EventTable
            columns={columns}
            events={events}
            onSelect={onSelect}
            empty={<EmptyState title="No events yet">New events appear here within seconds.</EmptyState>}
          />
        )}
      </QueryResult>
    </>
  );
}

const announceEveryMs = 15_000;

/** Announces pause and resume at once, and the number of new events every 15 seconds. */
function Announcement({ received, isPaused }: { readonly received: number; readonly isPaused: boolean }) {
  const [text, setText] = useState('');
  const latest = useRef(received);
  useEffect(() => {
    latest.current = received;
  }, [received]);
  useEffect(() => {
    setText(isPaused ? 'Paused' : 'Live');
    if (isPaused) return undefined;
    let announced = latest.current;
    const timer = setInterval(() => {
      const count = latest.current - announced;
      announced = latest.current;
      if (count > 0) setText(count === 1 ? '1 new event' : `${formatCount(count)} new events`);
    }, announceEveryMs);
    return () => clearInterval(timer);
  }, [isPaused]);
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
