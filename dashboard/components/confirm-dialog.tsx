/** Confirms a destructive action: describes its impact and requires the name of the resource. */
import { Alert, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { FormButtons } from './form-buttons.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** "Revoke this API key?" */
  readonly title: string;
  /** The name to type. */
  readonly name: string;
  /** The verb of the button: "Revoke". */
  readonly action: string;
  readonly isPending: boolean;
  readonly onConfirm: (reason: string | null) => void;
  /** Whether the dialog has a field for an optional reason. */
  readonly hasReason?: boolean;
  /** The impact: "12 requests in the last 24 hours". */
  readonly children: ReactNode;
}

export function ConfirmDialog({ opened, close, title, ...rest }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={close} title={title}>
      {opened && <ConfirmForm close={close} {...rest} />}
    </Modal>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function ConfirmForm({ close, name, action, isPending, onConfirm, hasReason = false, children }: ConfirmFormProps) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const isConfirmed = isNameConfirmed(name, typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) onConfirm(reason.trim() === '' ? null : reason.trim());
      }}
    >
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {children}
        </Alert>
        {hasReason && (
          <TextInput
            label="Reason"
            description="Optional. Recorded in the audit log."
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <ConfirmationField name={name} typed={typed} onType={setTyped} />
        <FormButtons submit={action} color="red" isPending={isPending} disabled={!isConfirmed} cancel={close} />
      </Stack>
    </form>
  );
}

interface ConfirmationFieldProps {
  readonly name: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** The field for the name of the resource. Also used by forms with further fields. */
export const ConfirmationField = ({ name, typed, onType }: ConfirmationFieldProps) => (
  <TextInput
    data-autofocus
    label={
      <Text component="span" inherit fw={400}>
        Type <strong>{name}</strong> to confirm
      </Text>
    }
    value={typed}
    autoComplete="off"
    spellCheck={false}
    onChange={(event) => onType(event.currentTarget.value)}
  />
);

export const isNameConfirmed = (name: string, typed: string): boolean => typed.trim() === name.trim();
