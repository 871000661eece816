/** Buttons for the previous and next page of a list. */
import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useListState } from './list-search.ts';
import { useIsStale } from './query-result.tsx';

interface PageButtonsProps {
  readonly nextCursor: string | null;
  readonly previousLabel?: string;
  readonly nextLabel?: string;
}

export function PageButtons({ nextCursor, previousLabel = 'Previous', nextLabel = 'Next' }: PageButtonsProps) {
  const { previous, next } = useListState();
  // the cursor belongs to the previous sort order and filters; the focused button stays focused, unlike a disabled one
  const isStale = useIsStale();
  const button = { size: 'xs', variant: 'default', 'aria-disabled': isStale } as const;
  return (
    <Group gap="xs">
      <Button
        {...button}
        leftSection={<IconChevronLeft size={14} />}
        disabled={previous === null}
        onClick={() => !isStale && previous?.()}
      >
        {previousLabel}
      </Button>
      <Button
        {...button}
        rightSection={<IconChevronRight size={14} />}
        disabled={nextCursor === null}
        onClick={() => !isStale && nextCursor !== null && next(nextCursor)}
      >
        {nextLabel}
      </Button>
    </Group>
  );
}
