/** Asks before what cannot be undone: shows what will break, and wants the name of the thing typed. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';

interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** "Revoke this key?" */
  readonly title: string;
  /** The name to type. */
  readonly name: string;
  /** The verb of the button: "Revoke". */
  readonly action: string;
  readonly pending: boolean;
  /** Told why, when the person says so. */
  readonly confirm: (reason: string | null) => void;
  readonly asksReason?: boolean;
  /** What will break: calls in the last 24 hours. */
  readonly children: ReactNode;
}

export function ConfirmByName({ opened, close, title, ...rest }: ConfirmByNameProps) {
  return (
    <Modal opened={opened} onClose={close} title={title}>
      {opened && <Question close={close} {...rest} />}
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmByNameProps, 'opened' | 'title'>;

function Question({ close, name, action, pending, confirm, asksReason = false, children }: QuestionProps) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const matches = isTyped(name, typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (matches) confirm(reason.trim() === '' ? null : reason.trim());
      }}
    >
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {children}
        </Alert>
        {asksReason && (
          <TextInput label="Why" maxLength={500} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
        )}
        <NameToType name={name} typed={typed} onType={setTyped} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!matches} loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NameToTypeProps {
  readonly name: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** The field for the name, for forms that ask more than this. */
export const NameToType = ({ name, typed, onType }: NameToTypeProps) => (
  <TextInput
    data-autofocus
    label={
      <Text component="span" inherit>
        Type <strong>{name}</strong> to go on
      </Text>
    }
    value={typed}
    autoComplete="off"
    spellCheck={false}
    onChange={(event) => onType(event.currentTarget.value)}
  />
);

export const isTyped = (name: string, typed: string): boolean => typed.trim() === name.trim();
