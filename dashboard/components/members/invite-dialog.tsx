/** The dialog that invites a person to an account. The response contains the link. The document is that of the graph of the app. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { Document } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { FormButtons } from '../form-buttons.tsx';
import type { SetupLink } from '../setup-link-dialog.tsx';
import { MemberRoleField } from './member-role-field.tsx';

interface Values {
  readonly email: string;
  readonly role: MemberRole;
}

interface Invited {
  /** The invitation, under this alias. */
  readonly created: Pick<SetupLink, 'setupPath' | 'expiresAt'> & { readonly invitation: { readonly email: string } };
}

interface InviteDialogProps<Variables> {
  readonly opened: boolean;
  readonly close: () => void;
  readonly onLink: (link: SetupLink) => void;
  readonly document: Document<Invited, Variables>;
  readonly variablesOf: (values: Values) => Variables;
  /** The role that is selected first. */
  readonly role: MemberRole;
}

export const InviteDialog = <Variables,>({ opened, close, ...rest }: InviteDialogProps<Variables>) => (
  <Modal opened={opened} onClose={close} title="Invite member">
    {opened && <InviteForm close={close} {...rest} />}
  </Modal>
);

function InviteForm<Variables>({ close, onLink, document, variablesOf, role }: Omit<InviteDialogProps<Variables>, 'opened'>) {
  const form = useForm<Values>({ initialValues: { email: '', role } });
  const { mutate, isPending } = useGraphMutation(document, {
    isSecret: true,
    onSuccess: ({ created: { setupPath, expiresAt, invitation } }) => {
      close();
      onLink({ setupPath, expiresAt, recipient: invitation });
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(variablesOf(values)))}>
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
        <MemberRoleField {...form.getInputProps('role')} />
        <FormButtons submit="Create invitation" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
