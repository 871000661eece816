/** Handles concurrent edits of a resource: nothing is overwritten, and the form can be reloaded with the latest version. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import type { RequestError } from '../graph/request-error.ts';

/** Renders a form, and remounts it with the latest data when the form calls `reload`. */
export function ReloadableForm({ children }: { readonly children: (reload: () => void) => ReactNode }) {
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const remount = (): void => setAttempt((previous) => previous + 1);
  // scheduled after the notifications of the query cache, so that the form starts with the new data
  const reload = (): void => void client.invalidateQueries().then(() => notifyManager.schedule(remount));
  return <Fragment key={attempt}>{children(reload)}</Fragment>;
}

/** Whether a change was rejected because the resource has a newer version. */
export const isEditConflict = (error: RequestError | null): boolean => error?.code === 'precondition_failed';

export const EditConflict = ({ reload }: { readonly reload: () => void }) => (
  <Alert color="orange" role="alert" icon={<IconGitMerge />} title="This was changed by another administrator">
    <Stack gap="xs" align="flex-start">
      <Text inherit>Your changes were not saved. Load the latest version, then make your changes again.</Text>
      <Button size="xs" variant="default" onClick={reload}>
        Load latest version
      </Button>
    </Stack>
  </Alert>
);
