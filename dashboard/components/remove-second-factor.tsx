/** Confirms the removal of the second factor and the passkeys of a person who lost them. */
import { Text } from '@mantine/core';
import type { Document } from '../graph/graphql.ts';
import { useGraphMutation } from '../graph/operations.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface RemoveSecondFactorProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly person: { readonly id: string; readonly name: string };
  readonly document: Document<unknown, { id: string }>;
}

export function RemoveSecondFactor({ opened, close, person: { id, name }, document }: RemoveSecondFactorProps) {
  const { mutate, isPending } = useGraphMutation(document, {
    onSuccess: close,
    successMessage: `Second factor and passkeys of ${name} removed`,
  });
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title="Remove the second factor and passkeys?"
      name={name}
      action="Remove"
      isPending={isPending}
      onConfirm={() => mutate({ id })}
    >
      <Text inherit>
        All sessions of {name} end immediately, all passkeys are removed, and sign-in requires only the password until {name} sets
        up a new second factor. Verify the identity of the person first.
      </Text>
    </ConfirmDialog>
  );
}
