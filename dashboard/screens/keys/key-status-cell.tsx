/** The status of an API key in a list; for a key that is being replaced, also until when and by which key. */
import { Stack, Text } from '@mantine/core';
import { KeyLink } from '../../components/links.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { ApiKeyStatus } from '../../generated/graphql.ts';
import { keyStatusOf } from './key-status.ts';

interface KeyStatusCellProps {
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
  readonly rotatedTo: { readonly id: string; readonly publicId: string } | null;
}

export function KeyStatusCell(key: KeyStatusCellProps) {
  const status = keyStatusOf(key);
  const { rotatedTo, expiresAt } = key;
  if (status !== 'BEING_REPLACED' || rotatedTo === null) return <StatusBadge status={status} />;
  return (
    <Stack gap={2} align="flex-start" miw="max-content">
      <StatusBadge status={status} />
      <Text size="xs">
        Valid until <Timestamp at={expiresAt} />
      </Text>
      <Text size="xs">
        Replaced by <KeyLink id={rotatedTo.id} name={rotatedTo.publicId} />
      </Text>
    </Stack>
  );
}
