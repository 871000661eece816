/** Withdraws an open request to the operator, after a confirmation. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../../components/action-dialog.tsx';
import type { Document } from '../../../graph/graphql.ts';
import { useGraphMutation } from '../../../graph/operations.ts';

interface WithdrawRequestProps {
  readonly id: string;
  /** "the request for the plan Pro" */
  readonly name: string;
  readonly document: Document<unknown, { id: string }>;
}

export function WithdrawRequest({ id, name, document }: WithdrawRequestProps) {
  const [opened, setOpened] = useState(false);
  const close = (): void => setOpened(false);
  const { mutate, isPending } = useGraphMutation(document, { onSuccess: close, successMessage: 'Request withdrawn' });
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Withdraw ${name}`} onClick={() => setOpened(true)}>
        Withdraw
      </Button>
      <ActionDialog
        opened={opened}
        close={close}
        title="Withdraw this request?"
        action="Withdraw"
        isPending={isPending}
        onConfirm={() => mutate({ id })}
      >
        <Text>The operator no longer decides about {name}. You can send a new request.</Text>
      </ActionDialog>
    </>
  );
}
