/** The state of a live view with its button to pause and resume, and a note. */
import { Badge, Button, Group, Text } from '@mantine/core';
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';

interface LiveControlsProps {
  /** What the view lists: "events". */
  readonly name: string;
  /** Number of rows that it lists at most. */
  readonly rows: number;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
}

export const LiveControls = ({ name, rows, isPaused, setPaused }: LiveControlsProps) => (
  <Group gap="sm" mb="sm">
    <Badge
      variant="light"
      size="lg"
      tt="none"
      color={isPaused ? 'yellow' : 'teal'}
      leftSection={isPaused ? <IconPlayerPause size={14} aria-hidden /> : <IconBroadcast size={14} aria-hidden />}
    >
      {isPaused ? 'Paused' : 'Live'}
    </Badge>
    <Button
      size="xs"
      variant="default"
      leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
      onClick={() => setPaused(!isPaused)}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
    <Text size="sm" c="dimmed">
      The latest {rows} {name}. {isPaused && `New ${name} appear after you resume.`}
    </Text>
  </Group>
);
