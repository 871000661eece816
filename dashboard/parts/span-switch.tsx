/** How far back a chart goes. */
import { SegmentedControl } from '@mantine/core';
import { spans, type Span } from './usage-periods.ts';

interface SpanSwitchProps {
  readonly value: Span;
  readonly onChange: (span: Span) => void;
}

const choices = Object.entries(spans).map(([value, { label }]) => ({ value: value as Span, label }));

export const SpanSwitch = ({ value, onChange }: SpanSwitchProps) => (
  <SegmentedControl size="xs" aria-label="How far back" data={choices} value={value} onChange={onChange} />
);
