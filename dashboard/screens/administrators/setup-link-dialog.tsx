/** Displays a new setup link once, to be sent to the administrator. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Timestamp } from '../../components/timestamp.tsx';
import { Copyable } from '../../components/secret-dialog.tsx';

export interface SetupLink {
  readonly setupPath: string;
  readonly expiresAt: string;
  readonly administrator: { readonly name: string; readonly email: string };
}

interface SetupLinkDialogProps {
  /** Null while the dialog is closed. */
  readonly link: SetupLink | null;
  readonly close: () => void;
}

export const SetupLinkDialog = ({ link, close }: SetupLinkDialogProps) => (
  <Modal
    opened={link !== null}
    onClose={close}
    title="Setup link"
    size="lg"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {link !== null && (
      <Stack>
        <Alert color="orange" icon={<IconEye />} title="Copy the link now">
          It will not be shown again. Anyone with this link can set the password. Send it to{' '}
          <strong>{link.administrator.name}</strong> ({link.administrator.email}) over a secure channel.
        </Alert>
        <Copyable label="Setup link" text={`${window.location.origin}${link.setupPath}`} />
        <Text>
          The link works once and expires at <Timestamp at={link.expiresAt} />. It replaces all earlier links.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>I have saved it</Button>
        </Group>
      </Stack>
    )}
  </Modal>
);
