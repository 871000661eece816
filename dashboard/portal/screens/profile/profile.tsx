/** The signed-in user: name, password, passkeys, second factor and sessions. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { ChangePassword } from '../../../session/change-password.tsx';
import { Passkeys } from '../../../session/passkeys.tsx';
import { SecondFactor } from '../../../session/second-factor.tsx';
import { graphql } from '../../graphql.ts';
import { useUser } from '../../session/account.ts';
import { OwnSessions } from './own-sessions.tsx';

const updateProfileMutation = graphql(`
  mutation UpdateOwnProfile($name: String!) {
    updateOwnProfile(name: $name) {
      id
    }
  }
`);

export function Profile() {
  const session = useUser();
  if (session === null) return null;
  const { user, signedInBy } = session;
  return (
    <Screen title="Your profile" description={user.email}>
      <NameForm name={user.name} />
      {signedInBy !== 'OIDC' ? (
        <>
          <ChangePassword />
          <Passkeys needsCode={user.hasSecondFactor} />
          <SecondFactor isEnabled={user.hasSecondFactor} />
        </>
      ) : (
        <Text>You sign in with an identity provider, which manages your password and second factor.</Text>
      )}
      <OwnSessions />
    </Screen>
  );
}

function NameForm({ name }: { readonly name: string }) {
  const form = useForm({ initialValues: { name } });
  const { mutate, isPending } = useGraphMutation(updateProfileMutation, {
    successMessage: 'Name changed',
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <Section title="Name">
      <form onSubmit={form.onSubmit((values) => mutate(values))}>
        <Stack maw={420}>
          <TextInput
            label="Name"
            description="Members of your accounts see it."
            autoComplete="name"
            required
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <Group>
            <Button type="submit" loading={isPending}>
              Change name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
