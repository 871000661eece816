/** The form field for the time of a plan change. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import type { PlanChangeTime } from '../../generated/graphql.ts';

const times: { readonly value: PlanChangeTime; readonly label: string }[] = [
  { value: 'BY_PRICE', label: 'By price' },
  { value: 'NOW', label: 'Now' },
  { value: 'PERIOD_END', label: 'End of month' },
];

const descriptions: Readonly<Record<PlanChangeTime, string>> = {
  BY_PRICE: 'Immediately if the new plan costs the same or more, otherwise at the end of the month (UTC).',
  NOW: 'Immediately. Current usage counts toward the new limits.',
  PERIOD_END: 'At the end of this calendar month (UTC).',
};

interface PlanChangeTimeFieldProps {
  readonly value: PlanChangeTime;
  readonly onChange: (when: PlanChangeTime) => void;
}

export const PlanChangeTimeField = ({ value, onChange }: PlanChangeTimeFieldProps) => (
  <Stack gap={4}>
    <SegmentedControl aria-label="Effective" data={times} value={value} onChange={onChange} />
    <Text size="xs" c="dimmed">
      {descriptions[value]}
    </Text>
  </Stack>
);
