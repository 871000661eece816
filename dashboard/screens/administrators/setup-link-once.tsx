/** A setup link that is shown this once, to be handed on. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Moment } from '../../parts/moment.tsx';
import { Copyable } from '../../parts/secret-once.tsx';

export interface SetupLink {
  readonly setupPath: string;
  readonly expiresAt: string;
  readonly administrator: { readonly name: string; readonly email: string };
}

interface SetupLinkOnceProps {
  /** Null while there is none to show. */
  readonly link: SetupLink | null;
  readonly close: () => void;
}

export const SetupLinkOnce = ({ link, close }: SetupLinkOnceProps) => (
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
        <Alert color="orange" icon={<IconEye />} title="It is shown this once">
          Whoever has the link chooses the password. Hand it to <strong>{link.administrator.name}</strong> (
          {link.administrator.email}) by a way that you trust.
        </Alert>
        <Copyable label="the setup link" text={`${window.location.origin}${link.setupPath}`} />
        <Text>
          It counts once, until <Moment at={link.expiresAt} />. Links made before are void.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>I have kept it</Button>
        </Group>
      </Stack>
    )}
  </Modal>
);
