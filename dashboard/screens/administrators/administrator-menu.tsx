/** The actions of an owner on an administrator. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErasePerson } from '../../components/erase-person.tsx';
import { RemoveSecondFactor } from '../../components/remove-second-factor.tsx';
import type { SetupLink } from '../../components/setup-link-dialog.tsx';
import { AdministratorSessions } from './administrator-sessions.tsx';
import type { Administrator } from './administrators.tsx';
import { EditAdministrator } from './edit-administrator.tsx';

const resetMutation = graphql(`
  mutation ResetAdministrator($id: ID!) {
    resetAdministrator(id: $id) {
      setupPath
      expiresAt
      recipient: administrator {
        name
        email
      }
    }
  }
`);

const disableMutation = graphql(`
  mutation DisableAdministrator($id: ID!, $reason: String) {
    disableAdministrator(id: $id, reason: $reason) {
      id
    }
  }
`);

const enableMutation = graphql(`
  mutation EnableAdministrator($id: ID!) {
    enableAdministrator(id: $id) {
      id
    }
  }
`);

const eraseMutation = graphql(`
  mutation EraseAdministrator($id: ID!) {
    eraseAdministrator(id: $id) {
      id
    }
  }
`);

const removeSecondFactorMutation = graphql(`
  mutation RemoveAdministratorSecondFactor($id: ID!) {
    removeAdministratorSecondFactor(id: $id) {
      id
    }
  }
`);

interface MenuProps {
  readonly administrator: Administrator;
  /** Whether this is the signed-in owner. */
  readonly isSelf: boolean;
  readonly onLink: (link: SetupLink) => void;
}

function endedSessions(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 active session ends immediately.' : `${count} active sessions end immediately.`;
}

export function AdministratorMenu({ administrator, isSelf, onLink }: MenuProps) {
  const { id, name, status, sessions, hasSecondFactor, hasPasskeys, erasedAt } = administrator;
  const [dialog, setDialog] = useState<'edit' | 'sessions' | 'second-factor' | 'disable' | 'erase' | null>(null);
  const close = (): void => setDialog(null);
  const reset = useGraphMutation(resetMutation, { isSecret: true, onSuccess: (data) => onLink(data.resetAdministrator) });
  const disable = useGraphMutation(disableMutation, { onSuccess: close, successMessage: `${name} disabled` });
  const enable = useGraphMutation(enableMutation, { successMessage: `${name} enabled` });
  const sessionCount = sessions?.length ?? 0;
  if (erasedAt !== null) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit</Menu.Item>
          {status !== 'DISABLED' && (
            <Menu.Item onClick={() => reset.mutate({ id })}>
              {status === 'INVITED' ? 'Create invitation link' : 'Create password reset link'}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog('sessions')}>Sessions ({sessionCount})</Menu.Item>
          {(hasSecondFactor || hasPasskeys) && !isSelf && (
            <Menu.Item color="red" onClick={() => setDialog('second-factor')}>
              Remove second factor and passkeys
            </Menu.Item>
          )}
          {status === 'DISABLED' ? (
            <>
              <Menu.Item onClick={() => enable.mutate({ id })}>Enable</Menu.Item>
              <Menu.Item color="red" onClick={() => setDialog('erase')}>
                Erase
              </Menu.Item>
            </>
          ) : (
            <Menu.Item color="red" onClick={() => setDialog('disable')}>
              Disable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditAdministrator opened={dialog === 'edit'} close={close} administrator={administrator} />
      <AdministratorSessions opened={dialog === 'sessions'} close={close} administrator={administrator} />
      <RemoveSecondFactor
        opened={dialog === 'second-factor'}
        close={close}
        person={administrator}
        document={removeSecondFactorMutation}
      />
      <ErasePerson opened={dialog === 'erase'} close={close} person={administrator} document={eraseMutation} />
      <ConfirmDialog
        opened={dialog === 'disable'}
        close={close}
        title={isSelf ? 'Disable yourself?' : 'Disable this administrator?'}
        name={name}
        action="Disable"
        isPending={disable.isPending}
        hasReason
        onConfirm={(reason) => disable.mutate({ id, reason })}
      >
        {isSelf ? 'You' : name} cannot sign in until an owner enables the account. {endedSessions(sessionCount)} Setup links
        become invalid. API keys are not affected.
      </ConfirmDialog>
    </>
  );
}
