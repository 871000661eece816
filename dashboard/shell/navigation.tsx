/** The navigation: one row for each screen, and links to the explorer and the API reference. */
import {
  IconActivityHeartbeat,
  IconArrowsTransferDown,
  IconBook2,
  IconClipboardCheck,
  IconGavel,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconListSearch,
  IconSpeakerphone,
  IconStack2,
  IconTerminal2,
  IconTimelineEvent,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { NavigationList, type NavigationItem } from './navigation-list.tsx';
import { PartnerRequestBadge } from './partner-request-badge.tsx';
import { ReviewBadge } from './review-badge.tsx';

export const items: readonly NavigationItem[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/keys', label: 'API keys', icon: IconKey },
  { to: '/requests', label: 'Requests', icon: IconListDetails },
  { to: '/accounts', label: 'Accounts', icon: IconUsers },
  { to: '/plans', label: 'Plans', icon: IconStack2 },
  { to: '/moderation', label: 'Moderation', icon: IconGavel, badge: <ReviewBadge /> },
  { to: '/partner-requests', label: 'Partner requests', icon: IconClipboardCheck, badge: <PartnerRequestBadge /> },
  { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/saved-searches', label: 'Saved searches', icon: IconListSearch },
  { to: '/events', label: 'Events', icon: IconTimelineEvent },
  { to: '/audit', label: 'Audit log', icon: IconHistory },
  { to: '/event-delivery', label: 'Event delivery', icon: IconArrowsTransferDown },
  { to: '/incidents', label: 'Incidents', icon: IconActivityHeartbeat },
  { to: '/announcements', label: 'Announcements', icon: IconSpeakerphone },
  { to: '/portal-users', label: 'Portal users', icon: IconUserCircle },
  { to: '/administrators', label: 'Administrators', icon: IconUsersGroup },
];

/** Pages outside of this single-page app. */
export const pages = [
  { href: '/admin/explorer', label: 'GraphQL explorer', icon: IconTerminal2 },
  { href: '/docs', label: 'REST API reference', icon: IconBook2 },
] as const;

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => (
  <NavigationList items={items} pages={pages} onNavigate={onNavigate} />
);
