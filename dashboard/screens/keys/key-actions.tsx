/** What can be done to a key, as it stands. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { ago } from '../../parts/moment.tsx';
import { count } from '../../parts/numbers.ts';
import { EditKey } from './edit-key.tsx';
import type { KeyShown } from './key.tsx';
import { MoveKey } from './move-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { standingOf } from './standing.ts';

const disableMutation = graphql(`
  mutation DisableApiKey($id: ID!, $reason: String) {
    disableApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);
const enableMutation = graphql(`
  mutation EnableApiKey($id: ID!, $reason: String) {
    enableApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);
const revokeMutation = graphql(`
  mutation RevokeApiKey($id: ID!, $reason: String) {
    revokeApiKey(id: $id, reason: $reason) {
      id
    }
  }
`);

/** What stops: how much it was used, and when last. */
export const WhatBreaks = ({ of: { requestsLast24Hours, lastUsedAt } }: { readonly of: KeyShown }) => (
  <Text inherit>
    {requestsLast24Hours === 1 ? '1 call' : `${count(requestsLast24Hours)} calls`} in the last 24 hours;{' '}
    {lastUsedAt === null ? 'never used' : `last used ${ago(lastUsedAt)}`}.
  </Text>
);

type Action = 'EDIT' | 'ROTATE' | 'MOVE' | 'DISABLE' | 'REVOKE';

export function KeyActions({ of }: { readonly of: KeyShown }) {
  const { id, name, status } = of;
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const enable = useChange(enableMutation, { said: 'Key enabled' });
  const disable = useChange(disableMutation, { said: 'Key disabled', done: close });
  const revoke = useChange(revokeMutation, { said: 'Key revoked', done: close });
  const standing = standingOf(of);
  const isRotatable = standing === 'ACTIVE' && of.rotatedTo === null && of.account.status === 'ACTIVE';
  return (
    <>
      {status !== 'REVOKED' && (
        <Button variant="default" onClick={() => setAction('EDIT')}>
          Edit
        </Button>
      )}
      {status !== 'REVOKED' && standing !== 'EXPIRED' && (
        <Button variant="default" onClick={() => setAction('MOVE')}>
          Move plan
        </Button>
      )}
      {isRotatable && (
        <Button variant="default" onClick={() => setAction('ROTATE')}>
          Rotate
        </Button>
      )}
      {status === 'ACTIVE' && (
        <Button variant="default" onClick={() => setAction('DISABLE')}>
          Disable
        </Button>
      )}
      {status === 'DISABLED' && (
        <Button variant="default" loading={enable.isPending} onClick={() => enable.mutate({ id, reason: null })}>
          Enable
        </Button>
      )}
      {status !== 'REVOKED' && (
        <Button color="red" variant="outline" onClick={() => setAction('REVOKE')}>
          Revoke
        </Button>
      )}
      <EditKey of={of} opened={action === 'EDIT'} close={close} />
      <MoveKey of={of} opened={action === 'MOVE'} close={close} />
      <RotateKey of={of} opened={action === 'ROTATE'} close={close} />
      <ConfirmByName
        opened={action === 'DISABLE'}
        close={close}
        title="Disable this key?"
        name={name}
        action="Disable"
        asksReason
        pending={disable.isPending}
        confirm={(reason) => disable.mutate({ id, reason })}
      >
        <Text inherit>It is refused, within a second, until it is enabled again.</Text>
        <WhatBreaks of={of} />
      </ConfirmByName>
      <ConfirmByName
        opened={action === 'REVOKE'}
        close={close}
        title="Revoke this key?"
        name={name}
        action="Revoke"
        asksReason
        pending={revoke.isPending}
        confirm={(reason) => revoke.mutate({ id, reason })}
      >
        <Text inherit>It is refused, within a second and for good.</Text>
        <WhatBreaks of={of} />
      </ConfirmByName>
    </>
  );
}
