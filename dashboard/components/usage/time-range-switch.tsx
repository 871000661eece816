/** Selects the time range of a chart. */
import { SegmentedControl } from '@mantine/core';
import { timeRangeNames, timeRanges, type TimeRange } from './usage-periods.ts';

interface TimeRangeSwitchProps {
  readonly value: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

const options = timeRangeNames.map((value) => ({ value, label: timeRanges[value].label }));

export const TimeRangeSwitch = ({ value, onChange }: TimeRangeSwitchProps) => (
  <SegmentedControl size="xs" aria-label="Time range" data={options} value={value} onChange={onChange} />
);
