/** Displays a new API key or webhook secret once: to copy, and in examples such as lines of a `.env` file. */
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

interface Example {
  /** The label of its tab: "curl". */
  readonly tab: string;
  /** What is copied: "curl command". */
  readonly label: string;
  readonly text: string;
}

interface SecretKind {
  /** In a sentence: "API key". */
  readonly name: string;
  readonly advice: string;
  readonly examplesOf: (secret: string, origin: string) => readonly Example[];
}

const kinds = {
  API_KEY: {
    name: 'API key',
    advice: 'It will not be shown again, because the platform stores only its hash. If you lose it, rotate the key.',
    examplesOf: (key, origin) => [
      { tab: 'curl', label: 'curl command', text: `curl -H "x-api-key: ${key}" ${origin}/api/v1/me` },
      { tab: '.env', label: '.env lines', text: `TALENT_PLATFORM_URL=${origin}\nTALENT_PLATFORM_KEY=${key}` },
    ],
  },
  WEBHOOK: {
    name: 'secret',
    advice: 'It will not be shown again. The receiver verifies deliveries with it. If you lose it, rotate the secret.',
    examplesOf: (secret) => [
      { tab: '.env', label: '.env line', text: `WEBHOOK_SECRET=${secret}` },
      {
        tab: 'Node.js',
        label: 'Node.js code',
        text: "import { Webhook } from 'standardwebhooks';\n\nnew Webhook(process.env.WEBHOOK_SECRET).verify(body, headers);",
      },
    ],
  },
} as const satisfies Record<string, SecretKind>;

interface SecretDialogProps {
  /** Default: an API key. */
  readonly kind?: keyof typeof kinds;
  readonly title: string;
  /** Null while the dialog is closed. */
  readonly secret: string | null;
  readonly close: () => void;
}

export function SecretDialog({ kind = 'API_KEY', title, secret, close }: SecretDialogProps) {
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
      {secret !== null && <Secret kind={kinds[kind]} secret={secret} close={close} />}
    </Modal>
  );
}

interface SecretProps {
  readonly kind: SecretKind;
  readonly secret: string;
  readonly close: () => void;
}

function Secret({ kind: { name, advice, examplesOf }, secret, close }: SecretProps) {
  const [isSaved, setSaved] = useState(false);
  useBlocker({
    shouldBlockFn: () =>
      !isSaved && !window.confirm(`You have not copied the ${name}. It will not be shown again. Leave anyway?`),
    enableBeforeUnload: () => !isSaved,
  });
  const examples = examplesOf(secret, window.location.origin);
  const save = (): void => setSaved(true);
  return (
    <Stack>
      <Alert color="orange" icon={<IconEye />} title={`Copy the ${name} now`}>
        {advice}
      </Alert>
      <Copyable label={name} text={secret} onCopy={save} />
      <Tabs defaultValue={examples[0]?.tab ?? null} keepMounted={false}>
        <Tabs.List aria-label="Examples">
          {examples.map(({ tab }) => (
            <Tabs.Tab key={tab} value={tab}>
              {tab}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {examples.map(({ tab, label, text }) => (
          <Tabs.Panel key={tab} value={tab} pt="sm">
            <Copyable
              label={label}
              text={text}
              onCopy={() => {
                if (text.includes(secret)) save();
              }}
            />
          </Tabs.Panel>
        ))}
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
