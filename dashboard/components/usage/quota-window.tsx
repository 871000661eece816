/** Units used of a limit in a day or a month. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import { formatCount, formatPercent } from '../number-format.ts';
import { Timestamp } from '../timestamp.tsx';

interface Quota {
  readonly used: number;
  readonly limit: number;
}

interface QuotaWindowProps extends Quota {
  readonly label: string;
  readonly resetAt: string;
}

/** Percentages of the limit. */
const warningPercent = 80;
const fullPercent = 100;

const percentOf = ({ used, limit }: Quota): number =>
  limit === 0 ? fullPercent : Math.min(fullPercent, (used / limit) * fullPercent);

/** `800 of 1,000 (80%, near limit)` */
export function quotaText({ used, limit }: Quota): string {
  const percent = percentOf({ used, limit });
  const note = percent >= fullPercent ? ', exhausted' : percent >= warningPercent ? ', near limit' : '';
  return `${formatCount(used)} of ${formatCount(limit)} (${formatPercent(used, limit)}${note})`;
}

interface QuotaBarProps extends Quota {
  /** "Today" */
  readonly label: string;
  readonly size: 'sm' | 'lg';
}

export function QuotaBar({ label, size, ...quota }: QuotaBarProps) {
  const percent = percentOf(quota);
  const color = percent >= fullPercent ? 'red.7' : percent >= warningPercent ? 'orange.6' : 'indigo.6';
  return (
    <Progress
      value={Math.round(percent * 10) / 10}
      color={color}
      size={size}
      aria-label={`${label}: percentage of the quota used`}
    />
  );
}

export const QuotaWindow = ({ label, used, limit, resetAt }: QuotaWindowProps) => (
  <Stack gap={4}>
    <Group justify="space-between" gap="xs">
      <Text fw={500}>{label}</Text>
      <Text>{quotaText({ used, limit })}</Text>
    </Group>
    <QuotaBar label={label} used={used} limit={limit} size="lg" />
    <Text size="xs" c="dimmed">
      Resets <Timestamp at={resetAt} />
    </Text>
  </Stack>
);
