/** The dialog that invites an administrator. The response contains a setup link. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '../../../schema/roles.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
import type { SetupLink } from '../../components/setup-link-dialog.tsx';
import { violationsByField } from '../../graph/request-error.ts';
import { graphql } from '../../graph/graphql.ts';
import { RoleField } from './role-field.tsx';

const inviteMutation = graphql(`
  mutation InviteAdministrator($input: InviteAdministratorInput!) {
    inviteAdministrator(input: $input) {
      setupPath
      expiresAt
      recipient: administrator {
        name
        email
      }
    }
  }
`);

interface InviteProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly onLink: (link: SetupLink) => void;
}

export const InviteAdministrator = ({ opened, close, ...rest }: InviteProps) => (
  <Modal opened={opened} onClose={close} title="Invite administrator">
    {opened && <Form close={close} {...rest} />}
  </Modal>
);

interface Values {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

function Form({ close, onLink }: Omit<InviteProps, 'opened'>) {
  const form = useForm<Values>({ initialValues: { name: '', email: '', role: 'VIEWER' } });
  const invite = useGraphMutation(inviteMutation, {
    isSecret: true,
    onSuccess: ({ inviteAdministrator: link }) => {
      close();
      onLink(link);
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((input) => invite.mutate({ input }))}>
      <Stack>
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" required maxLength={320} {...form.getInputProps('email')} />
        <RoleField {...form.getInputProps('role')} />
        <FormButtons submit="Create invitation" isPending={invite.isPending} cancel={close} />
      </Stack>
    </form>
  );
}
