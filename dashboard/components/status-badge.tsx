/** The status of a resource as a label with an icon, so that color is not the only indicator. */
import { Badge, type MantineColor } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArchive,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMail,
  IconPlayerPause,
  IconQuestionMark,
  IconRefresh,
  type Icon,
} from '@tabler/icons-react';
import { enumLabel } from './enum-label.ts';

interface BadgeStyle {
  readonly color: MantineColor;
  readonly icon: Icon;
}

const active: BadgeStyle = { color: 'teal', icon: IconCircleCheck };
const waiting: BadgeStyle = { color: 'blue', icon: IconClock };
const paused: BadgeStyle = { color: 'yellow', icon: IconPlayerPause };
const warning: BadgeStyle = { color: 'orange', icon: IconAlertTriangle };
const inactive: BadgeStyle = { color: 'red', icon: IconCircleX };
const archived: BadgeStyle = { color: 'gray', icon: IconArchive };

/** The statuses of the admin schema. Unknown ones are gray. */
const badgeStyles: Readonly<Record<string, BadgeStyle>> = {
  ACTIVE: active,
  UP: active,
  VERIFIED: active,
  UPHELD: active,
  GRANTED: active,
  PUBLISHED: active,
  CURRENT: active,
  ENABLED: active,
  SUCCEEDED: active,
  INVITED: { color: 'blue', icon: IconMail },
  PENDING: waiting,
  UNVERIFIED: waiting,
  OPEN: waiting,
  RETRYING: waiting,
  RESOLVED: active,
  SCHEDULED: waiting,
  MONITORING: waiting,
  IN_PROGRESS: paused,
  IDENTIFIED: warning,
  INVESTIGATING: warning,
  DISABLED: paused,
  SUSPENDED: paused,
  PAUSED: paused,
  DEGRADED: warning,
  EXPIRED: warning,
  FAILING: warning,
  DOWN: inactive,
  FAILED: inactive,
  REVOKED: inactive,
  CLOSED: inactive,
  REJECTED: inactive,
  DECLINED: inactive,
  DISMISSED: archived,
  DROPPED: archived,
  RETIRED: archived,
  BEING_REPLACED: { color: 'blue', icon: IconRefresh },
  UNKNOWN: { color: 'gray', icon: IconQuestionMark },
};

export function StatusBadge({ status }: { readonly status: string }) {
  const { color, icon: StatusIcon } = badgeStyles[status] ?? archived;
  return (
    <Badge variant="light" color={color} leftSection={<StatusIcon size={12} aria-hidden />} tt="none" miw="max-content">
      {enumLabel(status)}
    </Badge>
  );
}
