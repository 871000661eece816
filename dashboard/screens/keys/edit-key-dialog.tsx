/** The dialog that edits an API key: name, scopes, networks and expiry. */
import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../components/edit-conflict.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { formatUtc } from '../../components/timestamp.tsx';
import { valuesOfLines } from '../../components/lines-field.tsx';
import type { Document } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { DocumentsField, ExpiryField, NameField, NetworksField, ScopesField } from './key-fields.tsx';
import { expiryOf, scopesIn, useNetworkViolations, type KeyFormValues } from './key-form.ts';

/** What the form reads of an API key. */
export interface EditableKey {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allowedCidrs: readonly string[];
  readonly registeredDocumentsOnly: boolean;
  readonly expiresAt: string | null;
  readonly plan: { readonly writes: boolean };
}

interface KeyChange {
  readonly id: string;
  readonly ifMatch: string;
  readonly input: {
    readonly name: string;
    readonly scopes: string[];
    readonly allowedCidrs: string[];
    readonly registeredDocumentsOnly: boolean;
    readonly expiresAt?: string | null;
  };
}

interface EditKeyFormProps {
  readonly apiKey: EditableKey;
  /** The mutation that changes the key. */
  readonly document: Document<unknown, KeyChange>;
  /** The scopes to choose from; default: all. */
  readonly offered?: readonly string[];
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditKeyDialog = ({ opened, ...props }: EditKeyFormProps) => (
  <Modal opened={opened} onClose={props.close} title="Edit API key" size="xl">
    {opened && <ReloadableForm>{(reload) => <EditForm {...props} reload={reload} />}</ReloadableForm>}
  </Modal>
);

const valuesOf = (apiKey: EditableKey): KeyFormValues => ({
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
    'Allowed networks': valuesOfLines(values.networks).join('\n'),
    'GraphQL documents': values.registeredDocumentsOnly ? 'Registered documents only' : 'All',
    Expiration: expiryText(expiry === undefined ? expiresAt : expiry),
  };
}

interface EditFormProps extends Omit<EditKeyFormProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ apiKey, document, offered, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(apiKey);
  const networks = useNetworkViolations();
  const form = useForm<KeyFormValues>({
    initialValues: valuesOf(initial),
    onValuesChange: networks.clearOnChange,
  });
  const { mutate, isPending, error } = useGraphMutation(document, {
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
        allowedCidrs: valuesOfLines(values.networks),
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
        <ScopesField form={form} canWrite={initial.plan.writes} offered={offered} />
        <NetworksField form={form} violations={networks.violations} />
        <DocumentsField form={form} />
        <ExpiryField form={form} currentExpiry={expiryText(initial.expiresAt)} />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
