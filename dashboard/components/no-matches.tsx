/** Replaces a list whose filters match nothing, with a button that clears them. */
import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';
import { useListState } from './list-search.ts';

/** `title`: "No matching accounts" */
export function NoMatches({ title }: { readonly title: string }) {
  const { clear } = useListState();
  return (
    <EmptyState
      title={title}
      action={
        <Button variant="default" size="xs" onClick={clear}>
          Clear all filters
        </Button>
      }
    >
      Change or clear the filters.
    </EmptyState>
  );
}
