/** The dialog that requests the verification of an organization, with a note and links to documents. */
import { Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { LinesField, valuesOfLines } from '../../../components/lines-field.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { violationsByField, violationsByIndex } from '../../../graph/request-error.ts';
import { graphql } from '../../graphql.ts';
import type { OwnOrganization } from './own-organizations.tsx';

const requestMutation = graphql(`
  mutation CreateVerificationRequest($input: CreateVerificationRequestInput!) {
    createVerificationRequest(input: $input) {
      id
    }
  }
`);

interface RequestVerificationProps {
  /** Null while the dialog is closed. */
  readonly organization: OwnOrganization | null;
  readonly close: () => void;
}

export const RequestVerification = ({ organization, close }: RequestVerificationProps) => (
  <Modal opened={organization !== null} onClose={close} title="Request verification" size="lg">
    {organization !== null && <RequestForm organization={organization} close={close} />}
  </Modal>
);

interface RequestFormProps {
  readonly organization: OwnOrganization;
  readonly close: () => void;
}

function RequestForm({ organization: { id, name }, close }: RequestFormProps) {
  const [violations, setViolations] = useState<ReadonlyMap<number, string>>(new Map());
  const form = useForm({ initialValues: { note: '', links: '' }, onValuesChange: () => setViolations(new Map()) });
  const { mutate, isPending } = useGraphMutation(requestMutation, {
    successMessage: 'Request sent',
    onSuccess: close,
    onError: (error) => {
      form.setErrors(violationsByField(error));
      setViolations(violationsByIndex(error, 'links'));
    },
  });
  const submit = ({ note, links }: { readonly note: string; readonly links: string }): void =>
    mutate({
      input: { organizationId: id, note: note.trim() === '' ? null : note.trim(), links: valuesOfLines(links) },
    });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text>
          Organization: <strong>{name}</strong>
        </Text>
        <Textarea
          data-autofocus
          label="Note"
          description="Optional. Describe how the operator can check the identity of the organization."
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          {...form.getInputProps('note')}
        />
        <LinesField
          label="Links to documents"
          description="Up to 5 https links, one per line, for example to a register or a statute. Do not link to documents with personal data that anyone can open."
          violations={violations}
          {...form.getInputProps('links')}
          value={form.values.links}
        />
        <FormButtons submit="Send request" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
