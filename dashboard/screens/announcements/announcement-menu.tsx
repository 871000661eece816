/** The actions on an announcement: edit, publish, end the publication, delete. */
import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { updateMutation, type Announcement } from './announcement-query.ts';
import { announcementState } from './announcement-state.ts';
import { EditAnnouncement } from './edit-announcement.tsx';

const deleteMutation = graphql(`
  mutation DeleteAnnouncement($id: ID!) {
    deleteAnnouncement(id: $id) {
      id
    }
  }
`);

interface AnnouncementProps {
  readonly announcement: Announcement;
}

export function AnnouncementMenu({ announcement }: AnnouncementProps) {
  const { id, title } = announcement;
  const [dialog, setDialog] = useState<'edit' | 'publication' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const deletion = useGraphMutation(deleteMutation, { onSuccess: close, successMessage: 'Announcement deleted' });
  const isPublished = announcementState(announcement) === 'PUBLISHED';
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${title}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setDialog('publication')}>{isPublished ? 'End publication' : 'Publish now'}</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditAnnouncement announcement={announcement} opened={dialog === 'edit'} close={close} />
      {isPublished ? (
        <EndDialog announcement={announcement} opened={dialog === 'publication'} close={close} />
      ) : (
        <PublishDialog announcement={announcement} opened={dialog === 'publication'} close={close} />
      )}
      <ConfirmDialog
        opened={dialog === 'delete'}
        close={close}
        title="Delete this announcement?"
        name={title}
        action="Delete"
        isPending={deletion.isPending}
        onConfirm={() => deletion.mutate({ id })}
      >
        Users of the portal no longer see it. This cannot be undone. To hide it for a while, end its publication instead.
      </ConfirmDialog>
    </>
  );
}

interface DialogProps extends AnnouncementProps {
  readonly opened: boolean;
  readonly close: () => void;
}

function PublishDialog({ announcement, opened, close }: DialogProps) {
  const { id, version } = announcement;
  const { mutate, isPending } = useGraphMutation(updateMutation, {
    successMessage: 'Announcement published',
    onSuccess: close,
  });
  // a scheduled announcement keeps its end
  const isEnded = announcementState(announcement) === 'ENDED';
  return (
    <ActionDialog
      opened={opened}
      close={close}
      title="Publish this announcement now?"
      action="Publish"
      isPending={isPending}
      onConfirm={() =>
        mutate({
          id,
          ifMatch: String(version),
          input: { publishedFrom: new Date().toISOString(), ...(isEnded && { publishedUntil: null }) },
        })
      }
    >
      <Text>All users of the portal see it immediately.{isEnded && ' The publication has no end.'}</Text>
    </ActionDialog>
  );
}

function EndDialog({ announcement: { id, version }, opened, close }: DialogProps) {
  const { mutate, isPending } = useGraphMutation(updateMutation, { successMessage: 'Publication ended', onSuccess: close });
  return (
    <ActionDialog
      opened={opened}
      close={close}
      title="End the publication?"
      action="End publication"
      isPending={isPending}
      onConfirm={() => mutate({ id, ifMatch: String(version), input: { publishedUntil: new Date().toISOString() } })}
    >
      <Text>Users of the portal no longer see the announcement. You can publish it again.</Text>
    </ActionDialog>
  );
}
