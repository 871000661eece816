/** Table cells that several moderation queues share. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

interface TitleCellProps {
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
}

/** The name of the resource, with a second line in small text. */
export const TitleCell = ({ title, subtitle }: TitleCellProps) => (
  <>
    <Text inherit fw={600}>
      {title}
    </Text>
    {subtitle !== undefined && (
      <Text size="xs" c="dimmed">
        {subtitle}
      </Text>
    )}
  </>
);

interface VerificationCellProps {
  readonly status: string;
  readonly method: string | null;
  readonly at: string | null;
}

/** The verification status, with the method and the time of the last verification. */
export const VerificationCell = ({ status, method, at }: VerificationCellProps) => (
  <>
    <StatusBadge status={status} />
    {(method !== null || at !== null) && (
      <Text size="xs" c="dimmed">
        {method} {at !== null && <Timestamp at={at} />}
      </Text>
    )}
  </>
);
