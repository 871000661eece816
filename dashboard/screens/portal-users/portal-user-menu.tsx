/** The actions of an administrator on a portal user: password link, sessions, second factor, disable, enable and erase. */
import { Menu, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ErasePerson } from '../../components/erase-person.tsx';
import { MutationDialog } from '../../components/mutation-dialog.tsx';
import { RemoveSecondFactor } from '../../components/remove-second-factor.tsx';
import { SetupLinkDialog, type SetupLink } from '../../components/setup-link-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { useHasScope } from '../../session/session.ts';

const resetMutation = graphql(`
  mutation ResetPortalUser($id: ID!) {
    resetPortalUser(id: $id) {
      setupPath
      expiresAt
      recipient: user {
        name
        email
      }
    }
  }
`);

const disableMutation = graphql(`
  mutation DisablePortalUser($id: ID!, $reason: String) {
    disablePortalUser(id: $id, reason: $reason) {
      id
    }
  }
`);

const enableMutation = graphql(`
  mutation EnablePortalUser($id: ID!) {
    enablePortalUser(id: $id) {
      id
    }
  }
`);

const eraseMutation = graphql(`
  mutation ErasePortalUser($id: ID!) {
    erasePortalUser(id: $id) {
      id
    }
  }
`);

const endSessionsMutation = graphql(`
  mutation EndPortalUserSessions($id: ID!) {
    endPortalUserSessions(id: $id) {
      id
    }
  }
`);

const removeSecondFactorMutation = graphql(`
  mutation RemovePortalUserSecondFactor($id: ID!) {
    removePortalUserSecondFactor(id: $id) {
      id
    }
  }
`);

interface PortalUserMenuProps {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly status: 'ACTIVE' | 'DISABLED';
    readonly hasSecondFactor: boolean;
    readonly hasPasskeys: boolean;
    readonly erasedAt: string | null;
  };
  /** The button that opens the menu. */
  readonly children: ReactNode;
}

export function PortalUserMenu({ user, children }: PortalUserMenuProps) {
  const { id, name, status, hasSecondFactor, hasPasskeys, erasedAt } = user;
  const canErase = useHasScope('administrators:write');
  const [dialog, setDialog] = useState<'second-factor' | 'disable' | 'erase' | null>(null);
  const [link, setLink] = useState<SetupLink | null>(null);
  const close = (): void => setDialog(null);
  const reset = useGraphMutation(resetMutation, { isSecret: true, onSuccess: (data) => setLink(data.resetPortalUser) });
  const endSessions = useGraphMutation(endSessionsMutation, { successMessage: `All sessions of ${name} ended` });
  const enable = useGraphMutation(enableMutation, { successMessage: `${name} enabled` });
  if (erasedAt !== null) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {status === 'ACTIVE' && <Menu.Item onClick={() => reset.mutate({ id })}>Create password link</Menu.Item>}
          {status === 'ACTIVE' && <Menu.Item onClick={() => endSessions.mutate({ id })}>End sessions</Menu.Item>}
          {(hasSecondFactor || hasPasskeys) && (
            <Menu.Item color="red" onClick={() => setDialog('second-factor')}>
              Remove second factor and passkeys
            </Menu.Item>
          )}
          {status === 'DISABLED' ? (
            <>
              <Menu.Item onClick={() => enable.mutate({ id })}>Enable</Menu.Item>
              {canErase && (
                <Menu.Item color="red" onClick={() => setDialog('erase')}>
                  Erase
                </Menu.Item>
              )}
            </>
          ) : (
            <Menu.Item color="red" onClick={() => setDialog('disable')}>
              Disable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RemoveSecondFactor opened={dialog === 'second-factor'} close={close} person={user} document={removeSecondFactorMutation} />
      <ErasePerson opened={dialog === 'erase'} close={close} person={user} document={eraseMutation} />
      <MutationDialog
        opened={dialog === 'disable'}
        close={close}
        resource={user}
        document={disableMutation}
        successMessage={`${name} disabled`}
        title="Disable this portal user?"
        action="Disable"
      >
        <Text inherit>
          {name} cannot sign in until an administrator enables the user. All sessions end immediately, and password links become
          invalid. API keys of the accounts are not affected.
        </Text>
      </MutationDialog>
      <SetupLinkDialog link={link} close={() => setLink(null)} />
    </>
  );
}
