/** Ends the own membership in the account. */
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Section } from '../../../components/section.tsx';
import { app } from '../../../graph/app.ts';
import { useGraphMutation } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { useMembership } from '../../session/account.ts';

const leaveMutation = graphql(`
  mutation LeaveAccount {
    leaveAccount {
      id
    }
  }
`);

export function LeaveAccount({ isLastOwner }: { readonly isLastOwner: boolean }) {
  const name = useMembership()?.account.name ?? '';
  const [opened, setOpened] = useState(false);
  const { mutate, isPending } = useGraphMutation(leaveMutation, {
    // another account, or none: nothing of this one stays in memory
    onSuccess: () => window.location.assign(app.base),
  });
  return (
    <Section title="Leave account">
      {isLastOwner ? (
        <Text>You are the last owner. Make another member an owner before you leave.</Text>
      ) : (
        <Group justify="space-between">
          <Text>You lose access to {name} immediately. To return, you need an invitation.</Text>
          <Button color="red" variant="outline" onClick={() => setOpened(true)}>
            Leave account
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={opened}
        close={() => setOpened(false)}
        title="Leave this account?"
        name={name}
        action="Leave"
        isPending={isPending}
        onConfirm={() => mutate({})}
      >
        You lose access to {name} immediately. API keys that you created stay valid.
      </ConfirmDialog>
    </Section>
  );
}
