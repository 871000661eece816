/** The switch between the pages of the event log and its live tail, in the URL. */
import { SegmentedControl } from '@mantine/core';
import { useListState } from '../list-search.ts';

export function EventViewSwitch({ view }: { readonly view: 'LIVE' | undefined }) {
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
