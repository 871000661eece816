/** The button of a list that opens the dialog for a new resource. Administrators without write access see a notice instead. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useHasScope } from '../session/session.ts';
import { ReadOnlyNotice } from './read-only-notice.tsx';

interface CreateButtonProps {
  readonly label: string;
  readonly dialog: ComponentType<{ readonly opened: boolean; readonly close: () => void }>;
}

export function CreateButton({ label, dialog: Dialog }: CreateButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  if (!useHasScope('administration:write')) return <ReadOnlyNotice />;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        {label}
      </Button>
      <Dialog opened={opened} close={close} />
    </>
  );
}
