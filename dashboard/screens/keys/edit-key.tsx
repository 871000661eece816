/** The dialog that edits an API key: name, scopes, networks and expiry. */
import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../components/edit-conflict.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { formatUtc } from '../../components/timestamp.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { DocumentsField, ExpiryField, NameField, NetworksField, ScopesField } from './key-fields.tsx';
import { expiryOf, networksOf, scopesIn, useNetworkViolations, type KeyFormValues } from './key-form.ts';
import type { KeyDetails } from './key.tsx';

const updateKeyMutation = graphql(`
  mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!, $ifMatch: String!) {
    updateApiKey(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditKeyProps {
  readonly apiKey: KeyDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditKey = ({ apiKey, opened, close }: EditKeyProps) => (
  <Modal opened={opened} onClose={close} title="Edit API key" size="xl">
    {opened && <ReloadableForm>{(reload) => <EditForm apiKey={apiKey} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

const valuesOf = (apiKey: KeyDetails): KeyFormValues => ({
  name: apiKey.name,
  scopes: apiKey.scopes,
  networks: apiKey.allowedCidrs.join('\n'),
  registeredDocumentsOnly: apiKey.registeredDocumentsOnly,
  expiry: 'UNCHANGED',
  day: apiKey.expiresAt?.slice(0, 10) ?? '',
});

const expiryText = (expiresAt: string | null): string => (expiresAt === null ? 'Never' : formatUtc(expiresAt));

/** `expiresAt` is the current expiry, for an unchanged one. */
function fieldsOf(values: KeyFormValues, expiresAt: string | null): ConflictFields {
  const expiry = expiryOf(values);
  return {
    'Key name': values.name,
    Scopes: [...values.scopes].sort().join('\n'),
    'Allowed networks': networksOf(values.networks).join('\n'),
    'GraphQL documents': values.registeredDocumentsOnly ? 'Registered documents only' : 'All',
    Expiration: expiryText(expiry === undefined ? expiresAt : expiry),
  };
}

interface EditFormProps extends Omit<EditKeyProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ apiKey, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(apiKey);
  const networks = useNetworkViolations();
  const form = useForm<KeyFormValues>({
    initialValues: valuesOf(initial),
    onValuesChange: networks.clearOnChange,
  });
  const { mutate, isPending, error } = useGraphMutation(updateKeyMutation, {
    successMessage: 'API key updated',
    onSuccess: close,
    onError: (requestError) => {
      form.setErrors(violationsByField(requestError));
      networks.setFrom(requestError);
      return isEditConflict(requestError);
    },
  });
  const submit = (values: KeyFormValues): void => {
    const expiresAt = expiryOf(values);
    mutate({
      id: initial.id,
      ifMatch: String(initial.version),
      input: {
        name: values.name,
        scopes: scopesIn(values.scopes, initial.plan.writes),
        allowedCidrs: networksOf(values.networks),
        registeredDocumentsOnly: values.registeredDocumentsOnly,
        ...(expiresAt !== undefined && { expiresAt }),
      },
    });
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={apiKey.version === initial.version ? null : fieldsOf(valuesOf(apiKey), apiKey.expiresAt)}
            yours={fieldsOf(form.values, initial.expiresAt)}
          />
        )}
        <NameField form={form} />
        <ScopesField form={form} canWrite={initial.plan.writes} />
        <NetworksField form={form} violations={networks.violations} />
        <DocumentsField form={form} />
        <ExpiryField form={form} currentExpiry={expiryText(initial.expiresAt)} />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
