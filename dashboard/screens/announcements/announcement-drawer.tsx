/** The drawer with the complete text of an announcement, its times and its history. */
import { Drawer, Stack, Text, Title } from '@mantine/core';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { History } from '../../components/history.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { Announcement } from './announcement-query.ts';
import { announcementState } from './announcement-state.ts';

interface AnnouncementDrawerProps {
  /** Null while the drawer is closed. */
  readonly id: string | null;
  /** The announcements of the page. */
  readonly announcements: readonly Announcement[];
  readonly close: () => void;
}

export function AnnouncementDrawer({ id, announcements, close }: AnnouncementDrawerProps) {
  const announcement = announcements.find((each) => each.id === id);
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Announcement">
      {announcement === undefined ? (
        <EmptyState title="Announcement not found">It was deleted, or it is on another page of the list.</EmptyState>
      ) : (
        <Details announcement={announcement} />
      )}
    </Drawer>
  );
}

const Details = ({ announcement }: { readonly announcement: Announcement }) => (
  <Stack>
    <Title order={2} style={{ overflowWrap: 'anywhere' }}>
      {announcement.title}
    </Title>
    <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{announcement.text}</Text>
    <DescriptionList
      items={[
        ['State', <StatusBadge key="state" status={announcementState(announcement)} />],
        ['Start of publication', <Timestamp key="from" at={announcement.publishedFrom} />],
        ['End of publication', <Timestamp key="until" at={announcement.publishedUntil} fallback="None" />],
        ['Created', <Timestamp key="created" at={announcement.createdAt} />],
        ['Updated', <Timestamp key="updated" at={announcement.updatedAt} />],
        ['Announcement ID', <CopyableId key="id" label="announcement ID" id={announcement.id} />],
      ]}
    />
    <History resourceType="announcement" resourceId={announcement.id} />
  </Stack>
);
