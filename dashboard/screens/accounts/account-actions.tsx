/** What can be done to an account, as it stands. */
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { count } from '../../parts/numbers.ts';
import { EditAccount } from './account-forms.tsx';
import type { AccountShown } from './account.tsx';

const suspendMutation = graphql(`
  mutation SuspendAccount($id: ID!, $reason: String) {
    suspendAccount(id: $id, reason: $reason) {
      id
    }
  }
`);
const reinstateMutation = graphql(`
  mutation ReinstateAccount($id: ID!, $reason: String) {
    reinstateAccount(id: $id, reason: $reason) {
      id
    }
  }
`);
const closeMutation = graphql(`
  mutation CloseAccount($id: ID!, $reason: String) {
    closeAccount(id: $id, reason: $reason) {
      id
    }
  }
`);

/** What stops: keys, and how much they are used. */
const WhatBreaks = ({ of: { liveKeys, requestsLast24Hours } }: { readonly of: AccountShown }) => (
  <Text inherit>
    {liveKeys === 1 ? '1 live key' : `${count(liveKeys)} live keys`},{' '}
    {requestsLast24Hours === 1 ? '1 call' : `${count(requestsLast24Hours)} calls`} in the last 24 hours.
  </Text>
);

type Action = 'EDIT' | 'SUSPEND' | 'CLOSE';

export function AccountActions({ of }: { readonly of: AccountShown }) {
  const { id, name, status } = of;
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const reinstate = useChange(reinstateMutation, { said: 'Account reinstated' });
  const suspend = useChange(suspendMutation, { said: 'Account suspended', done: close });
  const end = useChange(closeMutation, { said: 'Account closed', done: close });
  if (status === 'CLOSED') return null;
  return (
    <>
      <Button variant="default" onClick={() => setAction('EDIT')}>
        Edit
      </Button>
      {status === 'SUSPENDED' ? (
        <Button variant="default" loading={reinstate.isPending} onClick={() => reinstate.mutate({ id, reason: null })}>
          Reinstate
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAction('SUSPEND')}>
          Suspend
        </Button>
      )}
      <Button color="red" variant="outline" onClick={() => setAction('CLOSE')}>
        Close account
      </Button>
      {status === 'ACTIVE' && (
        <Button renderRoot={(props) => <Link to="/keys/issue" search={{ account: id }} {...props} />}>Issue key</Button>
      )}
      <EditAccount of={of} opened={action === 'EDIT'} close={close} />
      <ConfirmByName
        opened={action === 'SUSPEND'}
        close={close}
        title="Suspend this account?"
        name={name}
        action="Suspend"
        asksReason
        pending={suspend.isPending}
        confirm={(reason) => suspend.mutate({ id, reason })}
      >
        <Text inherit>Its keys are refused, within a second, until it is reinstated.</Text>
        <WhatBreaks of={of} />
      </ConfirmByName>
      <ConfirmByName
        opened={action === 'CLOSE'}
        close={close}
        title="Close this account?"
        name={name}
        action="Close for good"
        asksReason
        pending={end.isPending}
        confirm={(reason) => end.mutate({ id, reason })}
      >
        <Text inherit>Its keys are refused for good, and it gets no more.</Text>
        <WhatBreaks of={of} />
      </ConfirmByName>
    </>
  );
}
