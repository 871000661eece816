/** The actions of an API key that its status allows, with their dialogs. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { MutationDialog } from '../../components/mutation-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { EditKey } from './edit-key.tsx';
import { KeyImpact } from './key-impact.tsx';
import { disableMutation, revokeMutation } from './key-mutations.ts';
import { keyStatusOf } from './key-status.ts';
import type { KeyDetails } from './key.tsx';
import { MoveKey } from './move-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const enableMutation = graphql(`
  mutation EnableApiKey($id: ID!, $reason: String) {
    enableApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);

type Action = 'EDIT' | 'MOVE' | 'ROTATE' | 'DISABLE' | 'REVOKE';

/** The actions that open a dialog, in the order of their buttons. */
const actionLabels: Readonly<Record<Action, string>> = {
  EDIT: 'Edit',
  MOVE: 'Change plan',
  ROTATE: 'Rotate',
  DISABLE: 'Disable',
  REVOKE: 'Revoke',
};

function actionsOf(apiKey: KeyDetails): readonly Action[] {
  const status = keyStatusOf(apiKey);
  if (status === 'REVOKED') return [];
  const isRotatable = status === 'ACTIVE' && apiKey.rotatedTo === null && apiKey.account.status === 'ACTIVE';
  return [
    'EDIT',
    ...(status === 'EXPIRED' ? [] : (['MOVE'] as const)),
    ...(isRotatable ? (['ROTATE'] as const) : []),
    ...(apiKey.status === 'ACTIVE' ? (['DISABLE'] as const) : []),
    'REVOKE',
  ];
}

interface KeyActionsProps {
  readonly apiKey: KeyDetails;
}

export function KeyActions({ apiKey }: KeyActionsProps) {
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  return (
    <>
      {apiKey.status === 'DISABLED' && <EnableButton apiKey={apiKey} />}
      {actionsOf(apiKey).map((name) => (
        <Button
          key={name}
          color={name === 'REVOKE' ? 'red' : undefined}
          variant={name === 'REVOKE' ? 'outline' : 'default'}
          onClick={() => setAction(name)}
        >
          {actionLabels[name]}
        </Button>
      ))}
      <EditKey apiKey={apiKey} opened={action === 'EDIT'} close={close} />
      <MoveKey apiKey={apiKey} opened={action === 'MOVE'} close={close} />
      <RotateKey apiKey={apiKey} opened={action === 'ROTATE'} close={close} />
      <MutationDialog
        resource={apiKey}
        document={disableMutation}
        successMessage="API key disabled"
        opened={action === 'DISABLE'}
        close={close}
        title="Disable this API key?"
        action="Disable"
      >
        <Text inherit>Requests with this key fail within one second, until you enable it again.</Text>
        <KeyImpact apiKey={apiKey} />
      </MutationDialog>
      <MutationDialog
        resource={apiKey}
        document={revokeMutation}
        successMessage="API key revoked"
        opened={action === 'REVOKE'}
        close={close}
        title="Revoke this API key?"
        action="Revoke"
      >
        <Text inherit>Requests with this key fail within one second. This cannot be undone.</Text>
        <KeyImpact apiKey={apiKey} />
      </MutationDialog>
    </>
  );
}

function EnableButton({ apiKey: { id } }: KeyActionsProps) {
  const { mutate, isPending } = useGraphMutation(enableMutation, { successMessage: 'API key enabled' });
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate({ id, reason: null })}>
      Enable
    </Button>
  );
}
