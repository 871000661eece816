/** The actions of an owner on a member: change the role, remove. */
import { ActionIcon, Menu, Modal, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import type { Member } from './members.tsx';
import { RoleField } from './role-field.tsx';

const changeRoleMutation = graphql(`
  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {
    changeMemberRole(id: $id, role: $role) {
      id
    }
  }
`);

const removeMutation = graphql(`
  mutation RemoveMember($id: ID!) {
    removeMember(id: $id) {
      id
    }
  }
`);

export function MemberMenu({ member }: { readonly member: Member }) {
  const { id, name } = member;
  const [dialog, setDialog] = useState<'role' | 'remove' | null>(null);
  const close = (): void => setDialog(null);
  const remove = useGraphMutation(removeMutation, { onSuccess: close, successMessage: `${name} removed` });
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
        {dialog === 'role' && <RoleForm member={member} close={close} />}
      </Modal>
      <ConfirmDialog
        opened={dialog === 'remove'}
        close={close}
        title="Remove this member?"
        name={name}
        action="Remove"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        {name} loses access to the account immediately. Open invitations that {name} created are withdrawn. API keys stay valid.
      </ConfirmDialog>
    </>
  );
}

function RoleForm({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const [role, setRole] = useState(member.role);
  const { mutate, isPending } = useGraphMutation(changeRoleMutation, { onSuccess: close, successMessage: 'Role changed' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ id: member.id, role });
      }}
    >
      <Stack>
        <RoleField value={role} onChange={setRole} />
        <FormButtons submit="Change role" isPending={isPending} cancel={close} disabled={role === member.role} />
      </Stack>
    </form>
  );
}
