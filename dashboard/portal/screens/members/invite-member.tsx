/** The dialog that invites a colleague. The response contains the link. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MemberRole } from '../../../../schema/member-roles.ts';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { graphql } from '../../graphql.ts';
import type { InvitationLink } from './invitation-link-dialog.tsx';
import { RoleField } from './role-field.tsx';

const inviteMutation = graphql(`
  mutation InviteMember($email: String!, $role: MemberRole!) {
    inviteMember(email: $email, role: $role) {
      setupPath
      expiresAt
      invitation {
        email
      }
    }
  }
`);

interface InviteMemberProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly onLink: (link: InvitationLink) => void;
}

export const InviteMember = ({ opened, close, ...rest }: InviteMemberProps) => (
  <Modal opened={opened} onClose={close} title="Invite member">
    {opened && <InviteForm close={close} {...rest} />}
  </Modal>
);

interface Values {
  readonly email: string;
  readonly role: MemberRole;
}

function InviteForm({ close, onLink }: Omit<InviteMemberProps, 'opened'>) {
  const form = useForm<Values>({ initialValues: { email: '', role: 'DEVELOPER' } });
  const { mutate, isPending } = useGraphMutation(inviteMutation, {
    isSecret: true,
    onSuccess: ({ inviteMember }) => {
      close();
      onLink(inviteMember);
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <TextInput
          label="Email"
          description="The person signs in with this address."
          type="email"
          required
          maxLength={320}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleField {...form.getInputProps('role')} />
        <FormButtons submit="Create invitation" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
