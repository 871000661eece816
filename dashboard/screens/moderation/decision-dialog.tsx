/** The dialog of a moderation decision: confirms it, and asks for a reason or a note if it requires one. */
import { Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { useGraphMutation } from '../../graph/operations.ts';
import type { Decision } from './decisions.ts';

/** The resource of a queue row. */
export interface Subject {
  readonly id: string;
  readonly name: string;
}

interface DecisionDialogProps extends Subject {
  /** Null while the dialog is closed. */
  readonly decision: Decision | null;
  readonly close: () => void;
  readonly onSuccess: () => void;
}

export function DecisionDialog({ decision, ...rest }: DecisionDialogProps) {
  // the dialog keeps its content during the closing animation
  const [last, setLast] = useState(decision);
  if (decision !== null && decision !== last) setLast(decision);
  const current = decision ?? last;
  return current === null ? null : <Dialog key={current.verb} decision={current} opened={decision !== null} {...rest} />;
}

interface DialogProps extends DecisionDialogProps {
  readonly decision: Decision;
  readonly opened: boolean;
}

function Dialog({ id, name, decision, opened, close, onSuccess }: DialogProps) {
  const { verb, pastTense, document, field, impact } = decision;
  const { mutate, isPending } = useGraphMutation(document, { onSuccess, successMessage: `${pastTense}: ${name}` });
  const title = `${verb} ${name}?`;
  if (impact !== undefined)
    return (
      <ConfirmDialog
        opened={opened}
        close={close}
        title={title}
        name={name}
        action={verb}
        isPending={isPending}
        hasReason
        onConfirm={(reason) => mutate({ id, text: reason ?? 'No reason given' })}
      >
        {impact}
      </ConfirmDialog>
    );
  return (
    <Modal opened={opened} onClose={close} title={title}>
      {opened && (
        <DecisionForm verb={verb} field={field} isPending={isPending} close={close} decide={(text) => mutate({ id, text })} />
      )}
    </Modal>
  );
}

interface DecisionFormProps extends Pick<Decision, 'verb' | 'field'> {
  readonly isPending: boolean;
  readonly close: () => void;
  readonly decide: (text: string) => void;
}

function DecisionForm({ verb, field, isPending, close, decide }: DecisionFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decide(text.trim());
      }}
    >
      <Stack>
        {field !== undefined && (
          <Textarea
            label={field}
            required
            autosize
            minRows={2}
            maxLength={200}
            data-autofocus
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        <FormButtons
          submit={verb}
          disabled={field !== undefined && text.trim() === ''}
          isPending={isPending}
          cancel={close}
          autoFocus={field === undefined}
        />
      </Stack>
    </form>
  );
}
