/** The actions of an account that its status allows, with their dialogs. */
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationDialog } from '../../components/mutation-dialog.tsx';
import { formatCount } from '../../components/number-format.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { EditAccount } from './account-forms.tsx';
import { suspendMutation } from './account-bulk-actions.ts';
import type { AccountDetails } from './account.tsx';

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

interface AccountActionsProps {
  readonly account: AccountDetails;
}

/** The API keys that stop working, and their recent use. */
const AccountImpact = ({ account: { liveKeys, requestsLast24Hours } }: AccountActionsProps) => (
  <Text inherit>
    {liveKeys === 1 ? '1 live API key' : `${formatCount(liveKeys)} live API keys`},{' '}
    {requestsLast24Hours === 1 ? '1 request' : `${formatCount(requestsLast24Hours)} requests`} in the last 24 hours.
  </Text>
);

type Action = 'EDIT' | 'SUSPEND' | 'CLOSE';

export function AccountActions({ account }: AccountActionsProps) {
  const { id, status } = account;
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  if (status === 'CLOSED') return null;
  return (
    <>
      <Button variant="default" onClick={() => setAction('EDIT')}>
        Edit
      </Button>
      {status === 'SUSPENDED' ? (
        <ReinstateButton account={account} />
      ) : (
        <Button variant="default" onClick={() => setAction('SUSPEND')}>
          Suspend
        </Button>
      )}
      <Button color="red" variant="outline" onClick={() => setAction('CLOSE')}>
        Close account
      </Button>
      {status === 'ACTIVE' && (
        <Button renderRoot={(props) => <Link to="/keys/issue" search={{ account: id }} {...props} />}>Issue API key</Button>
      )}
      <EditAccount account={account} opened={action === 'EDIT'} close={close} />
      <MutationDialog
        resource={account}
        document={suspendMutation}
        successMessage="Account suspended"
        opened={action === 'SUSPEND'}
        close={close}
        title="Suspend this account?"
        action="Suspend"
      >
        <Text inherit>Requests with its API keys fail within one second, until you reinstate the account.</Text>
        <AccountImpact account={account} />
      </MutationDialog>
      <MutationDialog
        resource={account}
        document={closeMutation}
        successMessage="Account closed"
        opened={action === 'CLOSE'}
        close={close}
        title="Close this account?"
        action="Close account"
      >
        <Text inherit>Its API keys stop working, and no new keys can be issued. This cannot be undone.</Text>
        <AccountImpact account={account} />
      </MutationDialog>
    </>
  );
}

function ReinstateButton({ account: { id } }: AccountActionsProps) {
  const { mutate, isPending } = useGraphMutation(reinstateMutation, { successMessage: 'Account reinstated' });
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate({ id, reason: null })}>
      Reinstate
    </Button>
  );
}
