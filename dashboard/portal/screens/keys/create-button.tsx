/** Opens the form for a new API key. Roles without the permission see a notice instead. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ReadOnlyNotice } from '../../../components/read-only-notice.tsx';
import { useHasScope } from '../../../session/session.ts';

export function CreateKeyButton() {
  if (!useHasScope('keys:write')) return <ReadOnlyNotice />;
  return (
    <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/keys/create" {...props} />}>
      Create API key
    </Button>
  );
}
