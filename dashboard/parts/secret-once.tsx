/** A secret that is shown this once: to copy, and as it is used by curl and in a `.env` file. */
import { Alert, Button, CopyButton, Group, Modal, Paper, Stack, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy, IconEye } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  readonly onCopy?: () => void;
}

/** A text to take away, with a button that copies it. */
export function Copyable({ label, text, onCopy }: CopyableProps) {
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text ff="monospace" fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', userSelect: 'all' }}>
          {text}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <>
              <VisuallyHidden role="status">{copied && `Copied ${label}`}</VisuallyHidden>
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => {
                  copy();
                  onCopy?.();
                }}
                aria-label={`Copy ${label}`}
                leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                style={{ flexShrink: 0 }}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            </>
          )}
        </CopyButton>
      </Group>
    </Paper>
  );
}

interface SecretOnceProps {
  readonly title: string;
  /** Null while there is none to show. */
  readonly secret: string | null;
  readonly close: () => void;
}

export function SecretOnce({ title, secret, close }: SecretOnceProps) {
  return (
    <Modal
      opened={secret !== null}
      onClose={close}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secret !== null && <Secret secret={secret} close={close} />}
    </Modal>
  );
}

function Secret({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  const [kept, setKept] = useState(false);
  useBlocker({
    shouldBlockFn: () => !kept && !window.confirm('The key was not copied, and is shown this once. Leave all the same?'),
    enableBeforeUnload: () => !kept,
  });
  const base = window.location.origin;
  const keep = (): void => setKept(true);
  return (
    <Stack>
      <Alert color="orange" icon={<IconEye />} title="It is shown this once">
        Only a hash is kept. Who loses it gets another key.
      </Alert>
      <Copyable label="the key" text={secret} onCopy={keep} />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="How it is used">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="env">.env</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="sm">
          <Copyable label="the command" text={`curl -H "x-api-key: ${secret}" ${base}/api/v1/me`} onCopy={keep} />
        </Tabs.Panel>
        <Tabs.Panel value="env" pt="sm">
          <Copyable label="the lines" text={`TALENT_PLATFORM_URL=${base}\nTALENT_PLATFORM_KEY=${secret}`} onCopy={keep} />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end">
        <Button
          onClick={() => {
            flushSync(keep);
            close();
          }}
        >
          I have kept it
        </Button>
      </Group>
    </Stack>
  );
}
