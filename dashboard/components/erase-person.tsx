/** Confirms the erasure of a disabled person, which cannot be undone. */
import { Text } from '@mantine/core';
import type { Document } from '../graph/graphql.ts';
import { useGraphMutation } from '../graph/operations.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ErasePersonProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly person: { readonly id: string; readonly name: string };
  readonly document: Document<unknown, { id: string }>;
}

export function ErasePerson({ opened, close, person: { id, name }, document }: ErasePersonProps) {
  const { mutate, isPending } = useGraphMutation(document, { onSuccess: close, successMessage: `${name} erased` });
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title="Erase the personal data?"
      name={name}
      action="Erase"
      isPending={isPending}
      onConfirm={() => mutate({ id })}
    >
      <Text inherit>
        The name, the email address, all credentials and all memberships of {name} are removed. The audit log keeps an anonymous
        ID. Remove the person at your identity provider first: the platform rejects the known address and identity until an
        administrator invites the address again. An erasure cannot be undone.
      </Text>
    </ConfirmDialog>
  );
}
