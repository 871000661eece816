/** The dialog that edits an announcement. */
import { Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../components/edit-conflict.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { instantOf, minuteOfInstant } from '../../components/instant.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { AnnouncementFields, useAnnouncementForm, type AnnouncementValues } from './announcement-fields.tsx';
import { updateMutation, type Announcement } from './announcement-query.ts';

interface DialogProps {
  readonly announcement: Announcement;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditAnnouncement = ({ announcement, opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Edit announcement" size="lg">
    {opened && (
      <ReloadableForm>{(reload) => <EditForm announcement={announcement} close={close} reload={reload} />}</ReloadableForm>
    )}
  </Modal>
);

const valuesOf = ({ title, text, publishedFrom, publishedUntil }: Announcement): AnnouncementValues => ({
  title,
  text,
  publishedFrom: minuteOfInstant(publishedFrom),
  publishedUntil: minuteOfInstant(publishedUntil),
});

const fieldsOf = ({ title, text, publishedFrom, publishedUntil }: AnnouncementValues): ConflictFields => ({
  Title: title,
  Text: text,
  'Start of publication (UTC)': publishedFrom,
  'End of publication (UTC)': publishedUntil,
});

/** The changed values: the fields have no seconds, so unchanged times are not sent. */
function changesOf(before: AnnouncementValues, { title, text, publishedFrom, publishedUntil }: AnnouncementValues) {
  return {
    title,
    text,
    ...(publishedFrom !== before.publishedFrom && { publishedFrom: instantOf(publishedFrom) ?? new Date().toISOString() }),
    ...(publishedUntil !== before.publishedUntil && { publishedUntil: instantOf(publishedUntil) }),
  };
}

interface EditFormProps extends Omit<DialogProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ announcement, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(announcement);
  const before = valuesOf(initial);
  const form = useAnnouncementForm(before);
  const { mutate, isPending, error } = useGraphMutation(updateMutation, {
    successMessage: 'Announcement updated',
    onSuccess: close,
    onError: (requestError) => {
      form.setErrors(violationsByField(requestError));
      return isEditConflict(requestError);
    },
  });
  const submit = (values: AnnouncementValues): void =>
    mutate({ id: initial.id, ifMatch: String(initial.version), input: changesOf(before, values) });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={announcement.version === initial.version ? null : fieldsOf(valuesOf(announcement))}
            yours={fieldsOf(form.values)}
          />
        )}
        <AnnouncementFields form={form} />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
