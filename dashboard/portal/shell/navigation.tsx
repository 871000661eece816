/** The navigation of the portal: one row for each screen, and links to the documentation. */
import {
  IconBook2,
  IconCertificate,
  IconChartBar,
  IconGitMerge,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconReceipt,
  IconSpeakerphone,
  IconStack2,
  IconTerminal2,
  IconTimelineEvent,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { NavigationList, type NavigationItem } from '../../shell/navigation-list.tsx';

const items: readonly NavigationItem[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/keys', label: 'API keys', icon: IconKey },
  { to: '/requests', label: 'Requests', icon: IconListDetails },
  { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/events', label: 'Events', icon: IconTimelineEvent },
  { to: '/usage', label: 'Usage and limits', icon: IconChartBar },
  { to: '/plan', label: 'Plan', icon: IconStack2 },
  { to: '/statements', label: 'Statements', icon: IconReceipt },
  { to: '/verification', label: 'Verification', icon: IconCertificate },
  { to: '/members', label: 'Members', icon: IconUsers },
  { to: '/activity', label: 'Activity', icon: IconHistory },
  { to: '/announcements', label: 'Announcements', icon: IconSpeakerphone },
];

const pages = [
  { href: '/docs', label: 'REST API reference', icon: IconBook2 },
  { href: '/docs/changelog', label: 'API changelog', icon: IconGitMerge },
  { href: '/graphql', label: 'GraphQL explorer', icon: IconTerminal2, IconUsers },
] as const;

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => (
  <NavigationList items={items} pages={pages} onNavigate={onNavigate} />
);
