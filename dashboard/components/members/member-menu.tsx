/** The actions on a member of an account: change the role, remove. The documents are those of the graph of the app. */
import { ActionIcon, Menu, Modal, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { Document } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { MemberRoleField } from './member-role-field.tsx';

interface MemberMenuProps {
  readonly member: { readonly id: string; readonly name: string; readonly role: MemberRole };
  readonly changeRole: Document<unknown, { id: string; role: MemberRole }>;
  readonly remove: Document<unknown, { id: string }>;
  /** What remains after the removal, with links. */
  readonly remains: ReactNode;
}

export function MemberMenu({ member, changeRole, remove, remains }: MemberMenuProps) {
  const { id, name } = member;
  const [dialog, setDialog] = useState<'role' | 'remove' | null>(null);
  const close = (): void => setDialog(null);
  const removal = useGraphMutation(remove, { onSuccess: close, successMessage: `${name} removed` });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('role')}>Change role</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog === 'role'} onClose={close} title={`Role of ${name}`}>
        {dialog === 'role' && <RoleForm member={member} changeRole={changeRole} close={close} />}
      </Modal>
      <ConfirmDialog
        opened={dialog === 'remove'}
        close={close}
        title="Remove this member?"
        name={name}
        action="Remove"
        isPending={removal.isPending}
        onConfirm={() => removal.mutate({ id })}
      >
        {name} loses access to the account immediately. Open invitations that {name} created are withdrawn. API keys and webhooks
        belong to the account: those that {name} created keep working. Revoke keys that {name} may know, and check where webhooks
        deliver to: {remains}.
      </ConfirmDialog>
    </>
  );
}

interface RoleFormProps extends Pick<MemberMenuProps, 'member' | 'changeRole'> {
  readonly close: () => void;
}

function RoleForm({ member, changeRole, close }: RoleFormProps) {
  const [role, setRole] = useState(member.role);
  const { mutate, isPending } = useGraphMutation(changeRole, { onSuccess: close, successMessage: 'Role changed' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ id: member.id, role });
      }}
    >
      <Stack>
        <MemberRoleField value={role} onChange={setRole} />
        <FormButtons submit="Change role" isPending={isPending} cancel={close} disabled={role === member.role} />
      </Stack>
    </form>
  );
}
