/** Displays a new API key once: to copy, as a curl command, and as lines of a `.env` file. */
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

/** A text with a copy button. */
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
              <VisuallyHidden role="status">{copied && `${label} copied`}</VisuallyHidden>
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

interface SecretDialogProps {
  readonly title: string;
  /** Null while the dialog is closed. */
  readonly secret: string | null;
  readonly close: () => void;
}

export function SecretDialog({ title, secret, close }: SecretDialogProps) {
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
  const [isSaved, setSaved] = useState(false);
  useBlocker({
    shouldBlockFn: () =>
      !isSaved && !window.confirm('You have not copied the API key. It will not be shown again. Leave anyway?'),
    enableBeforeUnload: () => !isSaved,
  });
  const base = window.location.origin;
  const save = (): void => setSaved(true);
  return (
    <Stack>
      <Alert color="orange" icon={<IconEye />} title="Copy the API key now">
        It will not be shown again, because the platform stores only its hash. If you lose it, rotate the key.
      </Alert>
      <Copyable label="API key" text={secret} onCopy={save} />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="Examples">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="env">.env</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="sm">
          <Copyable label="curl command" text={`curl -H "x-api-key: ${secret}" ${base}/api/v1/me`} onCopy={save} />
        </Tabs.Panel>
        <Tabs.Panel value="env" pt="sm">
          <Copyable label=".env lines" text={`TALENT_PLATFORM_URL=${base}\nTALENT_PLATFORM_KEY=${secret}`} onCopy={save} />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end">
        <Button
          onClick={() => {
            flushSync(save);
            close();
          }}
        >
          I have saved it
        </Button>
      </Group>
    </Stack>
  );
}
