/** What an owner may do about an administrator. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { AdministratorSessions } from './administrator-sessions.tsx';
import type { Administrator } from './administrators.tsx';
import { ChangeAdministrator } from './change-administrator.tsx';
import type { SetupLink } from './setup-link-once.tsx';

const resetMutation = graphql(`
  mutation ResetAdministrator($id: ID!) {
    resetAdministrator(id: $id) {
      setupPath
      expiresAt
      administrator {
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

interface MenuProps {
  readonly who: Administrator;
  /** Whether it is who looks. */
  readonly own: boolean;
  readonly linked: (link: SetupLink) => void;
}

export function AdministratorMenu({ who, own, linked }: MenuProps) {
  const { id, name, status, sessions } = who;
  const [asked, setAsked] = useState<'change' | 'sessions' | 'disable' | null>(null);
  const close = (): void => setAsked(null);
  const reset = useChange(resetMutation, { secret: true, done: (data) => linked(data.resetAdministrator) });
  const disable = useChange(disableMutation, { done: close, said: `${name} is disabled` });
  const enable = useChange(enableMutation, { said: `${name} is enabled` });
  const open = sessions?.length ?? 0;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('change')}>Change…</Menu.Item>
          {status !== 'DISABLED' && (
            <Menu.Item onClick={() => reset.mutate({ id })}>
              {status === 'INVITED' ? 'New invitation link' : 'New password link'}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setAsked('sessions')}>Sessions ({open})…</Menu.Item>
          {status === 'DISABLED' ? (
            <Menu.Item onClick={() => enable.mutate({ id })}>Enable</Menu.Item>
          ) : (
            <Menu.Item color="red" onClick={() => setAsked('disable')}>
              Disable…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ChangeAdministrator opened={asked === 'change'} close={close} who={who} />
      <AdministratorSessions opened={asked === 'sessions'} close={close} who={who} />
      <ConfirmByName
        opened={asked === 'disable'}
        close={close}
        title={own ? 'Disable yourself?' : 'Disable this administrator?'}
        name={name}
        action="Disable"
        pending={disable.isPending}
        asksReason
        confirm={(reason) => disable.mutate({ id, reason })}
      >
        {own ? 'You' : name} may not enter any more, until an owner enables the account again.{' '}
        {open === 1 ? 'One open session ends' : `${open} open sessions end`} at once, and setup links are void. API keys are not
        touched.
      </ConfirmByName>
    </>
  );
}
