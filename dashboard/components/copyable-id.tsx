/** An identifier with a button that copies it. */
import { ActionIcon, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyableIdProps {
  /** What the button copies: "account ID". */
  readonly label: string;
  readonly id: string;
  readonly size?: 'xs' | 'sm';
}

export const CopyableId = ({ label, id, size = 'sm' }: CopyableIdProps) => (
  <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
    <Text component="span" ff="monospace" size={size} style={{ overflowWrap: 'anywhere' }}>
      {id}
    </Text>
    <CopyButton value={id}>
      {({ copied, copy }) => (
        // the focus stays on the button, so that screen readers announce its new name
        <ActionIcon variant="subtle" color="gray" size="xs" aria-label={copied ? 'Copied' : `Copy ${label}`} onClick={copy}>
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  </Group>
);
