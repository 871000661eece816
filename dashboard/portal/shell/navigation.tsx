/** The navigation of the portal: one row for each screen, and links to the documentation. */
import {
  IconBook2,
  IconChartBar,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconReceipt,
  IconTerminal2,
  IconUsers,
} from '@tabler/icons-react';
import { NavigationList, type NavigationItem } from '../../shell/navigation-list.tsx';

const items: readonly NavigationItem[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/keys', label: 'API keys', icon: IconKey },
  { to: '/requests', label: 'Requests', icon: IconListDetails },
  { to: '/usage', label: 'Usage and limits', icon: IconChartBar },
  { to: '/statements', label: 'Statements', icon: IconReceipt },
  { to: '/members', label: 'Members', icon: IconUsers },
  { to: '/activity', label: 'Activity', icon: IconHistory },
];

const pages = [
  { href: '/docs', label: 'REST API reference', icon: IconBook2 },
  { href: '/graphql', label: 'GraphQL explorer', icon: IconTerminal2, IconUsers },
] as const;

export const Navigation = ({ onNavigate }: { readonly onNavigate: () => void }) => (
  <NavigationList items={items} pages={pages} onNavigate={onNavigate} />
);
