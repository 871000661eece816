/** The note of a request to the operator, and its decision with the reason. */
import { Stack, Text } from '@mantine/core';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import type { PartnerRequestStatus } from '../../generated/graphql.ts';

interface DecisionProps {
  readonly request: {
    readonly status: PartnerRequestStatus;
    readonly reason: string | null;
    readonly decidedAt: string | null;
  };
}

export const Decision = ({ request: { status, reason, decidedAt } }: DecisionProps) => (
  <Stack gap={2} align="flex-start" miw={160}>
    <StatusBadge status={status} />
    {decidedAt !== null && (
      <Text component="div" size="xs" c="dimmed">
        <Timestamp at={decidedAt} />
      </Text>
    )}
    {reason !== null && <RequestText text={reason} />}
  </Stack>
);

/** A text of several lines; a dash without one. */
export const RequestText = ({ text }: { readonly text: string | null }) => (
  <Text size="sm" miw={200} maw={360} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
    {text ?? '–'}
  </Text>
);

interface RequestedProps {
  readonly request: { readonly createdAt: string; readonly requestedBy: string };
}

export const Requested = ({ request: { createdAt, requestedBy } }: RequestedProps) => (
  <Stack gap={2} miw="max-content">
    <Timestamp at={createdAt} />
    <Text size="xs" c="dimmed">
      {requestedBy}
    </Text>
  </Stack>
);
