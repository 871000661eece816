/** Confirms an action that can be undone or repeated, without typing the name of the resource. */
import { Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormButtons } from './form-buttons.tsx';

interface ActionDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** "Retry this delivery?" */
  readonly title: string;
  /** The verb of the button: "Retry". */
  readonly action: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  /** What the action does. */
  readonly children: ReactNode;
}

export const ActionDialog = ({ opened, close, title, action, isPending, onConfirm, children }: ActionDialogProps) => (
  <Modal opened={opened} onClose={close} title={title}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <Stack>
        {children}
        <FormButtons submit={action} isPending={isPending} cancel={close} autoFocus />
      </Stack>
    </form>
  </Modal>
);
