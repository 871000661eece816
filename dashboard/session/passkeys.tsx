/** The passkeys of the signed-in person: names, last uses, registration and removal. */
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DataTable, type Column } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { QueryResult } from '../components/query-result.tsx';
import { Section } from '../components/section.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { app } from '../graph/app.ts';
import { notifyError } from '../graph/operations.ts';
import type { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { PasskeyRegistration } from './passkey-registration.tsx';
import { PasskeyPlace } from './passkey-sign-in.tsx';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface OwnPasskeys {
  /** The origin at which passkeys work; null if there is none. */
  readonly origin: string | null;
  readonly passkeys: readonly Passkey[];
}

const columns: readonly Column<Passkey>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Timestamp at={lastUsedAt} />) },
  { title: 'Actions', cell: (passkey) => <RemoveButton passkey={passkey} /> },
];

export function Passkeys({ needsCode }: { readonly needsCode: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery<OwnPasskeys, RequestError>({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => requestJson<OwnPasskeys>(`${app.base}/passkeys`, { signal }),
  });
  const canAdd = query.data?.origin === window.location.origin;
  return (
    <Section title="Passkeys" controls={canAdd && <Button onClick={() => setOpen(true)}>Add passkey</Button>}>
      <Text>Sign in with your fingerprint, face, PIN or security key, without the password and a code.</Text>
      <QueryResult query={query} name="passkeys" lines={2}>
        {({ origin, passkeys }) => (
          <>
            {!canAdd && <PasskeyPlace origin={origin} />}
            {(canAdd || passkeys.length > 0) && (
              <DataTable
                label="Passkeys"
                columns={columns}
                rows={passkeys}
                rowKey={({ id }) => id}
                empty={<EmptyState title="No passkeys yet">Add one for this device, or for a security key.</EmptyState>}
              />
            )}
          </>
        )}
      </QueryResult>
      <PasskeyRegistration opened={isOpen} needsCode={needsCode} close={() => setOpen(false)} />
    </Section>
  );
}

function RemoveButton({ passkey: { id, name } }: { readonly passkey: Passkey }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const { mutate, isPending } = useMutation<unknown, RequestError>({
    mutationFn: () => requestJson(`${app.base}/passkeys/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      setOpen(false);
      notifications.show({ message: `Passkey ${name} removed`, color: 'teal' });
      void client.invalidateQueries();
    },
    onError: notifyError,
  });
  return (
    <Group>
      <Button size="compact-sm" variant="default" aria-label={`Remove passkey: ${name}`} onClick={() => setOpen(true)}>
        Remove
      </Button>
      <ConfirmDialog
        opened={isOpen}
        close={() => setOpen(false)}
        title="Remove this passkey?"
        name={name}
        action="Remove"
        isPending={isPending}
        onConfirm={() => mutate()}
      >
        Sign-in with {name} is no longer possible, and your other sessions are signed out. Then also delete the passkey on your
        device.
      </ConfirmDialog>
    </Group>
  );
}
