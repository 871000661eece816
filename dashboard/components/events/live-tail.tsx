/** The live tail of the event explorer: new events on top, with pause and resume. Screen readers hear a summary, not each row. */
import { Alert, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { EventLogFilter } from '../../generated/graphql.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LiveControls } from '../../components/live-controls.tsx';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { EventTable } from '../../components/events/event-table.tsx';
import { columns } from './event-columns.tsx';
import { rowsMax, useEventTail } from './event-tail.ts';

interface LiveTailProps {
  readonly filter: EventLogFilter;
  readonly onSelect: (id: string) => void;
}

export function LiveTail({ filter, onSelect }: LiveTailProps) {
  const [isPaused, setPaused] = useState(false);
  const tail = useEventTail(filter, isPaused);
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
