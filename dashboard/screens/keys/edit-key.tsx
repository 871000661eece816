/** Changes what a key may do, from where, and for how long; what somebody else changed meanwhile is not overwritten. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { violationsByField, violationsByPlace } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { ChangedMeanwhile, Fresh, isChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';
import { utc } from '../../parts/moment.tsx';
import { ExpiryField, NameField, NetworksField, ScopesField } from './key-fields.tsx';
import { expiryOf, networksOf, scopesIn, type KeyFormValues } from './key-form.ts';
import type { KeyShown } from './key.tsx';

const updateKeyMutation = graphql(`
  mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!, $ifMatch: String!) {
    updateApiKey(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditKeyProps {
  readonly of: KeyShown;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditKey = ({ of, opened, close }: EditKeyProps) => (
  <Modal opened={opened} onClose={close} title="Edit the key" size="xl">
    {opened && <Fresh>{(reload) => <EditForm of={of} close={close} reload={reload} />}</Fresh>}
  </Modal>
);

interface EditFormProps {
  readonly of: KeyShown;
  readonly close: () => void;
  readonly reload: () => void;
}

function EditForm({ of, close, reload }: EditFormProps) {
  // what is polled meanwhile changes neither the form nor the version that it is about
  const [read] = useState(of);
  const [networkViolations, setNetworkViolations] = useState<ReadonlyMap<number, string>>(new Map());
  const form = useForm<KeyFormValues>({
    initialValues: {
      name: read.name,
      scopes: read.scopes,
      networks: read.allowedCidrs.join('\n'),
      expiry: 'SAME',
      day: read.expiresAt?.slice(0, 10) ?? '',
    },
    onValuesChange: ({ networks }, before) => {
      if (networks !== before.networks) setNetworkViolations(new Map());
    },
  });
  const { mutate, isPending, error } = useChange(updateKeyMutation, {
    said: 'Key changed',
    done: close,
    refused: (failure) => {
      form.setErrors(violationsByField(failure));
      setNetworkViolations(violationsByPlace(failure, 'allowedCidrs'));
      return isChangedMeanwhile(failure);
    },
  });
  const submit = (values: KeyFormValues): void => {
    const expiresAt = expiryOf(values);
    mutate({
      id: read.id,
      ifMatch: String(read.version),
      input: {
        name: values.name,
        scopes: scopesIn(values.scopes, read.plan.writes),
        allowedCidrs: networksOf(values.networks),
        ...(expiresAt !== undefined && { expiresAt }),
      },
    });
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <NameField form={form} />
        <ScopesField form={form} writes={read.plan.writes} />
        <NetworksField form={form} violations={networkViolations} />
        <ExpiryField form={form} same={read.expiresAt === null ? 'never' : utc(read.expiresAt)} />
        {isChangedMeanwhile(error) && <ChangedMeanwhile reload={reload} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
