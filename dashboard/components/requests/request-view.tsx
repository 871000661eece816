/** The state of the request log in the URL: its view, and the request whose details are open. */
import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useListState } from '../list-search.ts';

export function RequestViewSwitch({ view }: { readonly view: 'LIVE' | undefined }) {
  const { set } = useListState();
  return (
    <SegmentedControl
      aria-label="View"
      data={[
        { value: 'PAGES', label: 'Log' },
        { value: 'LIVE', label: 'Live' },
      ]}
      value={view ?? 'PAGES'}
      onChange={(selected) => set({ view: selected === 'LIVE' ? selected : undefined })}
    />
  );
}

/** Returns a function that opens the details of a request, or closes them. The page of the list stays. */
export function useSelectRequest(): (id: string | undefined) => void {
  const navigate = useNavigate();
  // the cast: `to: '.'` has no static search type
  return useCallback(
    (request) =>
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, request }),
        state: (state: object) => state,
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  );
}
