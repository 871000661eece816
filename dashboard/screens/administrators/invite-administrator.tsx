/** Invites somebody to administer: the answer is a setup link. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '../../../schema/roles.ts';
import { useChange } from '../../graph/ask.ts';
import { violationsByField } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { RoleChoice } from './role-choice.tsx';
import type { SetupLink } from './setup-link-once.tsx';

const inviteMutation = graphql(`
  mutation InviteAdministrator($input: InviteAdministratorInput!) {
    inviteAdministrator(input: $input) {
      setupPath
      expiresAt
      administrator {
        name
        email
      }
    }
  }
`);

interface InviteProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly linked: (link: SetupLink) => void;
}

export const InviteAdministrator = ({ opened, close, ...rest }: InviteProps) => (
  <Modal opened={opened} onClose={close} title="Invite an administrator">
    {opened && <Form close={close} {...rest} />}
  </Modal>
);

function Form({ close, linked }: Omit<InviteProps, 'opened'>) {
  const form = useForm({ initialValues: { name: '', email: '', role: 'VIEWER' as Role } });
  const invite = useChange(inviteMutation, {
    secret: true,
    done: ({ inviteAdministrator: link }) => {
      close();
      linked(link);
    },
    refused: (failure) => form.setErrors(violationsByField(failure)),
  });
  return (
    <form onSubmit={form.onSubmit((input) => invite.mutate({ input }))}>
      <Stack>
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput label="E-mail" type="email" required maxLength={320} {...form.getInputProps('email')} />
        <RoleChoice {...form.getInputProps('role')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
