/** Switches a screen between live data and the test data of the account. Without test mode there is no switch. */
import { SegmentedControl } from '@mantine/core';
import { useListState } from '../../components/list-search.ts';
import { useDataMode } from '../../graph/data-mode.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../graphql.ts';

const testModeQuery = graphql(`
  query TestMode {
    member {
      testMode
    }
  }
`);

/** Whether the installation has test mode. */
export function useHasTestMode(): boolean {
  return useGraphQuery(testModeQuery, {}).data?.member?.testMode === true;
}

export function ModeSwitch() {
  const mode = useDataMode();
  const { set } = useListState();
  if (!useHasTestMode() && mode === 'LIVE') return null;
  return (
    <SegmentedControl
      aria-label="Data"
      data={[
        { value: 'LIVE', label: 'Live data' },
        { value: 'TEST', label: 'Test data' },
      ]}
      value={mode}
      // what is open belongs to the other data
      onChange={(selected) => set({ mode: selected === 'TEST' ? selected : undefined, event: undefined })}
    />
  );
}
