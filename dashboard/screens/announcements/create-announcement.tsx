/** The dialog that creates an announcement. */
import { Modal, Stack } from '@mantine/core';
import { FormButtons } from '../../components/form-buttons.tsx';
import { instantOf } from '../../components/instant.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { AnnouncementFields, useAnnouncementForm, type AnnouncementValues } from './announcement-fields.tsx';

const createMutation = graphql(`
  mutation CreateAnnouncement($input: AnnouncementInput!) {
    createAnnouncement(input: $input) {
      id
    }
  }
`);

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export const CreateAnnouncement = ({ opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Create announcement" size="lg">
    {opened && <CreateForm close={close} />}
  </Modal>
);

function CreateForm({ close }: Pick<DialogProps, 'close'>) {
  const form = useAnnouncementForm({ title: '', text: '', publishedFrom: '', publishedUntil: '' });
  const { mutate, isPending } = useGraphMutation(createMutation, {
    successMessage: 'Announcement created',
    onSuccess: close,
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  const submit = ({ title, text, publishedFrom, publishedUntil }: AnnouncementValues): void =>
    mutate({
      input: { title, text, publishedFrom: instantOf(publishedFrom), publishedUntil: instantOf(publishedUntil) },
    });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <AnnouncementFields form={form} />
        <FormButtons submit="Create" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
