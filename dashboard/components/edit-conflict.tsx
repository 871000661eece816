/** Handles concurrent edits of a resource: nothing is overwritten, and the form can be reloaded with the latest version. */
import { Alert, Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { app } from '../graph/app.ts';
import type { RequestError } from '../graph/request-error.ts';
import { ScrollableTable } from './scrollable-table.tsx';

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

/** The values of a form by their labels, as texts. */
export type ConflictFields = Readonly<Record<string, string>>;

interface EditConflictProps {
  readonly reload: () => void;
  /** The values of the latest version; null until it is loaded. */
  readonly latest: ConflictFields | null;
  /** The values of the form. */
  readonly yours: ConflictFields;
}

/** Reports a conflict at the top of a form, with the fields that differ. */
export function EditConflict({ reload, latest, yours }: EditConflictProps) {
  const client = useQueryClient();
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // the submit button is at the end of the form
    alert.current?.scrollIntoView({ block: 'start' });
    void client.invalidateQueries();
  }, [client]);
  return (
    <Alert
      ref={alert}
      color="orange"
      role="alert"
      icon={<IconGitMerge />}
      title={app.base === '/portal' ? 'This was changed in the meantime' : 'This was changed by another administrator'}
      style={{ scrollMarginTop: '4rem' }}
    >
      <Stack gap="xs" align="flex-start">
        <Text inherit>Your changes were not saved. Load the latest version, then make your changes again.</Text>
        {latest === null ? <Skeleton height={60} /> : <Differences latest={latest} yours={yours} />}
        <Button size="xs" variant="default" onClick={reload}>
          Load latest version
        </Button>
      </Stack>
    </Alert>
  );
}

function Differences({ latest, yours }: Pick<EditConflictProps, 'yours'> & { readonly latest: ConflictFields }) {
  const fields = Object.keys(yours).filter((field) => yours[field] !== latest[field]);
  if (fields.length === 0) return <Text inherit>The latest version has the values of this form.</Text>;
  return (
    <ScrollableTable label="Differences" w="100%">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Latest version</Table.Th>
          <Table.Th>Yours</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
            <Table.Th scope="row">{field}</Table.Th>
            <Value text={latest[field]} />
            <Value text={yours[field]} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  );
}

const Value = ({ text = '' }: { readonly text: string | undefined }) => (
  <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{text === '' ? 'Empty' : text}</Table.Td>
);
