/** Units used of a limit in a day or a month. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import { formatCount, formatPercent } from '../number-format.ts';
import { Timestamp } from '../timestamp.tsx';

interface QuotaWindowProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly resetAt: string;
}

/** Percentages of the limit. */
const warningPercent = 80;
const fullPercent = 100;

export function QuotaWindow({ label, used, limit, resetAt }: QuotaWindowProps) {
  const usedPercent = limit === 0 ? fullPercent : Math.min(fullPercent, (used / limit) * fullPercent);
  const isExhausted = usedPercent >= fullPercent;
  const isNearLimit = usedPercent >= warningPercent;
  const color = isExhausted ? 'red.7' : isNearLimit ? 'orange.6' : 'indigo.6';
  const note = isExhausted ? ', exhausted' : isNearLimit ? ', near limit' : '';
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{label}</Text>
        <Text>
          {formatCount(used)} of {formatCount(limit)} ({formatPercent(used, limit)}
          {note})
        </Text>
      </Group>
      <Progress
        value={Math.round(usedPercent * 10) / 10}
        color={color}
        size="lg"
        aria-label={`${label}: percentage of the quota used`}
      />
      <Text size="xs" c="dimmed">
        Resets <Timestamp at={resetAt} />
      </Text>
    </Stack>
  );
}
