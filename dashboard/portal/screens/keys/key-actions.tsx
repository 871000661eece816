/** The actions of an API key that its status allows, with their dialogs. */
import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationDialog } from '../../../components/mutation-dialog.tsx';
import { SecretDialog } from '../../../components/secret-dialog.tsx';
import { useGraphMutation, useGraphQuery } from '../../../graph/operations.ts';
import { EditKeyDialog } from '../../../screens/keys/edit-key-dialog.tsx';
import { KeyImpact } from '../../../screens/keys/key-impact.tsx';
import { keyStatusOf } from '../../../screens/keys/key-status.ts';
import { RotateForm } from '../../../screens/keys/rotate-form.tsx';
import { graphql } from '../../graphql.ts';
import { allowanceQuery } from './allowance-query.ts';
import type { KeyDetails } from './key.tsx';

const updateMutation = graphql(`
  mutation UpdateOwnKey($id: ID!, $input: UpdateApiKeyInput!, $ifMatch: String!) {
    updateOwnKey(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);
const disableMutation = graphql(`
  mutation DisableOwnKey($id: ID!, $reason: String) {
    disableOwnKey(id: $id, reason: $reason) {
      id
    }
  }
`);
const enableMutation = graphql(`
  mutation EnableOwnKey($id: ID!) {
    enableOwnKey(id: $id) {
      id
    }
  }
`);
const revokeMutation = graphql(`
  mutation RevokeOwnKey($id: ID!, $reason: String) {
    revokeOwnKey(id: $id, reason: $reason) {
      id
    }
  }
`);
const rotateMutation = graphql(`
  mutation RotateOwnKey($id: ID!, $graceSeconds: Int!) {
    rotateOwnKey(id: $id, graceSeconds: $graceSeconds) {
      key
      apiKey {
        id
      }
    }
  }
`);

type Action = 'EDIT' | 'ROTATE' | 'DISABLE' | 'REVOKE';

/** The actions that open a dialog, in the order of their buttons. */
const actionLabels: Readonly<Record<Action, string>> = {
  EDIT: 'Edit',
  ROTATE: 'Rotate',
  DISABLE: 'Disable',
  REVOKE: 'Revoke',
};

function actionsOf(apiKey: KeyDetails): readonly Action[] {
  const status = keyStatusOf(apiKey);
  if (status === 'REVOKED') return [];
  if (status === 'EXPIRED') return ['REVOKE'];
  return [
    'EDIT',
    ...(status === 'ACTIVE' ? (['ROTATE'] as const) : []),
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
      {keyStatusOf(apiKey) === 'DISABLED' && <EnableButton apiKey={apiKey} />}
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

interface DialogProps extends KeyActionsProps {
  readonly opened: boolean;
  readonly close: () => void;
}

/** Offers the scopes that the member can grant, and those that the key has. */
function EditKey({ apiKey, ...props }: DialogProps) {
  const { data } = useGraphQuery(allowanceQuery, {});
  const offered = [...apiKey.scopes, ...(data?.keyAllowance?.scopes ?? [])];
  return <EditKeyDialog {...props} apiKey={apiKey} offered={offered} document={updateMutation} />;
}

function RotateKey({ apiKey, opened, close }: DialogProps) {
  const navigate = useNavigate();
  const rotate = useGraphMutation(rotateMutation, { isSecret: true, onSuccess: close });
  const issued = rotate.data?.rotateOwnKey;
  const openNewKey = (): void => {
    if (issued) void navigate({ to: '/keys/$id', params: { id: issued.apiKey.id } });
    rotate.reset();
  };
  return (
    <>
      <Modal opened={opened} onClose={close} title="Rotate API key">
        {opened && (
          <RotateForm
            apiKey={apiKey}
            close={close}
            isPending={rotate.isPending}
            rotate={(graceSeconds) => rotate.mutate({ id: apiKey.id, graceSeconds })}
          />
        )}
      </Modal>
      <SecretDialog title="New API key created" secret={issued?.key ?? null} close={openNewKey} />
    </>
  );
}

function EnableButton({ apiKey: { id } }: KeyActionsProps) {
  const { mutate, isPending } = useGraphMutation(enableMutation, { successMessage: 'API key enabled' });
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate({ id })}>
      Enable
    </Button>
  );
}
