/** Displays the link of an invitation or for a new password once, to be sent to its recipient. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Copyable } from './secret-dialog.tsx';
import { Timestamp } from './timestamp.tsx';

const kinds = {
  /** An administrator or user sets the password. */
  SETUP: { title: 'Setup link', allows: 'set the password', replaces: 'all earlier links' },
  /** A person joins an account of the portal. */
  INVITATION: {
    title: 'Invitation link',
    allows: 'accept the invitation',
    replaces: 'earlier invitations of this address to the account',
  },
} as const;

export interface SetupLink {
  readonly setupPath: string;
  readonly expiresAt: string;
  /** The recipient of the link. The name of an invited person is unknown. */
  readonly recipient: { readonly name?: string; readonly email: string };
}

interface SetupLinkDialogProps {
  /** Default: a setup link. */
  readonly kind?: keyof typeof kinds;
  /** Null while the dialog is closed. */
  readonly link: SetupLink | null;
  readonly close: () => void;
}

const Recipient = ({ name, email }: SetupLink['recipient']) =>
  name === undefined ? (
    <strong>{email}</strong>
  ) : (
    <>
      <strong>{name}</strong> ({email})
    </>
  );

export function SetupLinkDialog({ kind = 'SETUP', link, close }: SetupLinkDialogProps) {
  const { title, allows, replaces } = kinds[kind];
  return (
    <Modal
      opened={link !== null}
      onClose={close}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {link !== null && (
        <Stack>
          <Alert color="orange" icon={<IconEye />} title="Copy the link now">
            It will not be shown again, and the platform sends no email. Anyone with this link can {allows}. Send it to{' '}
            <Recipient {...link.recipient} /> over a channel that only this person reads.
          </Alert>
          <Copyable label={title} text={`${window.location.origin}${link.setupPath}`} />
          <Text>
            The link works once and expires at <Timestamp at={link.expiresAt} />. It replaces {replaces}.
          </Text>
          <Group justify="flex-end">
            <Button onClick={close}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
