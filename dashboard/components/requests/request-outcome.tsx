/** The status of a response as a badge, with its error code. */
import { Badge, Group, Text, type MantineColor } from '@mantine/core';

const colors: Readonly<Record<number, MantineColor>> = { 2: 'teal', 3: 'blue', 4: 'orange', 5: 'red' };

interface RequestOutcomeProps {
  readonly status: number;
  readonly errorCode: string | null;
}

export const RequestOutcome = ({ status, errorCode }: RequestOutcomeProps) => (
  <Group gap={6} wrap="nowrap" component="span">
    <Badge variant="light" color={colors[Math.floor(status / 100)] ?? 'gray'} tt="none" miw="max-content">
      {status}
    </Badge>
    {errorCode !== null && (
      <Text component="span" size="xs" ff="monospace">
        {errorCode}
      </Text>
    )}
  </Group>
);
