/** What a form shows when somebody else changed the thing since it was read: nothing is overwritten, and it can be read again. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import type { Failure } from '../graph/failure.ts';

/** A form that begins again with what is there now when it is told to. */
export function Fresh({ children }: { readonly children: (reload: () => void) => ReactNode }) {
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const again = (): void => setAttempt((before) => before + 1);
  // behind those who are told what is there now, so that the form begins with it
  const reload = (): void => void client.invalidateQueries().then(() => notifyManager.schedule(again));
  return <Fragment key={attempt}>{children(reload)}</Fragment>;
}

/** Whether a change was refused because it would have overwritten another. */
export const isChangedMeanwhile = (failure: Failure | null): boolean => failure?.code === 'precondition_failed';

export const ChangedMeanwhile = ({ reload }: { readonly reload: () => void }) => (
  <Alert color="orange" role="alert" icon={<IconGitMerge />} title="Somebody changed this meanwhile">
    <Stack gap="xs" align="flex-start">
      <Text inherit>Nothing was overwritten. Load what it is now, and make your change again.</Text>
      <Button size="xs" variant="default" onClick={reload}>
        Load what it is now
      </Button>
    </Stack>
  </Alert>
);
