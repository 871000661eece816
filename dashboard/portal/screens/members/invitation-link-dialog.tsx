/** Displays the link of a new invitation once, to be sent to the invited person. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Copyable } from '../../../components/secret-dialog.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';

export interface InvitationLink {
  readonly setupPath: string;
  readonly expiresAt: string;
  readonly invitation: { readonly email: string };
}

interface InvitationLinkDialogProps {
  /** Null while the dialog is closed. */
  readonly link: InvitationLink | null;
  readonly close: () => void;
}

export const InvitationLinkDialog = ({ link, close }: InvitationLinkDialogProps) => (
  <Modal
    opened={link !== null}
    onClose={close}
    title="Invitation link"
    size="lg"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {link !== null && (
      <Stack>
        <Alert color="orange" icon={<IconEye />} title="Copy the link now">
          It will not be shown again, and the platform sends no email. Send it to <strong>{link.invitation.email}</strong> over a
          channel that only this person reads.
        </Alert>
        <Copyable label="Invitation link" text={`${window.location.origin}${link.setupPath}`} />
        <Text>
          The link works once and expires at <Timestamp at={link.expiresAt} />.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>I have saved it</Button>
        </Group>
      </Stack>
    )}
  </Modal>
);
