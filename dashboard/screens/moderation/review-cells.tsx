/** Table cells that several moderation queues share. */
import { Anchor, Text } from '@mantine/core';
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

/** A URL from user content, shortened in tables. Opens in a new tab without referrer; plain text unless it is HTTP or HTTPS. */
export const ExternalLink = ({ url, isComplete = false }: { readonly url: string; readonly isComplete?: boolean }) =>
  /^https?:\/\//i.test(url) ? (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      inherit
      display="block"
      {...(isComplete ? { style: { overflowWrap: 'anywhere' } } : { maw: 220, truncate: true })}
    >
      {url}
    </Anchor>
  ) : (
    <span>{url}</span>
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
