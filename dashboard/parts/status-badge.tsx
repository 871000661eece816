/** How something stands: a word and a sign, so that the colour need not be seen. */
import { Badge, type MantineColor } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArchive,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMail,
  IconPlayerPause,
  type Icon,
} from '@tabler/icons-react';

interface Look {
  readonly color: MantineColor;
  readonly icon: Icon;
}

const good: Look = { color: 'teal', icon: IconCircleCheck };
const waiting: Look = { color: 'blue', icon: IconClock };
const paused: Look = { color: 'yellow', icon: IconPlayerPause };
const warning: Look = { color: 'orange', icon: IconAlertTriangle };
const ended: Look = { color: 'red', icon: IconCircleX };
const past: Look = { color: 'gray', icon: IconArchive };

/** Every standing that the admin schema knows; a new one is shown grey until it has a row. */
const looks: Readonly<Record<string, Look>> = {
  ACTIVE: good,
  UP: good,
  VERIFIED: good,
  UPHELD: good,
  CURRENT: good,
  INVITED: { color: 'blue', icon: IconMail },
  PENDING: waiting,
  UNVERIFIED: waiting,
  OPEN: waiting,
  DISABLED: paused,
  SUSPENDED: paused,
  DEGRADED: warning,
  EXPIRED: warning,
  DOWN: ended,
  REVOKED: ended,
  CLOSED: ended,
  REJECTED: ended,
  DISMISSED: past,
  RETIRED: past,
};

/** A value of the schema as a word: `PENDING_CONSENT` is "Pending consent". */
export const said = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1).toLowerCase().replaceAll('_', ' ');

export function StatusBadge({ status }: { readonly status: string }) {
  const { color, icon: Sign } = looks[status] ?? past;
  return (
    <Badge variant="light" color={color} leftSection={<Sign size={12} aria-hidden />} tt="none" miw="max-content">
      {said(status)}
    </Badge>
  );
}
