/** The list of announcements for the users of the portal. The open announcement is stored in the URL. */
import { Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AnnouncementLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useHasScope } from '../../session/session.ts';
import { AnnouncementDrawer } from './announcement-drawer.tsx';
import { AnnouncementMenu } from './announcement-menu.tsx';
import { announcementsQuery, type Announcement } from './announcement-query.ts';
import { announcementState } from './announcement-state.ts';
import { CreateAnnouncement } from './create-announcement.tsx';

const columns: readonly Column<Announcement>[] = [
  {
    title: 'Announcement',
    cell: ({ id, title, text }) => (
      <>
        <Text component="div" inherit fw={500} maw={480} miw={160} style={{ overflowWrap: 'anywhere' }}>
          <AnnouncementLink id={id} name={title} />
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2} maw={480} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      </>
    ),
  },
  { title: 'State', cell: (announcement) => <StatusBadge status={announcementState(announcement)} /> },
  { title: 'Start of publication', cell: ({ publishedFrom }) => <Timestamp at={publishedFrom} /> },
  { title: 'End of publication', cell: ({ publishedUntil }) => <Timestamp at={publishedUntil} fallback="None" /> },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const actions: Column<Announcement> = {
  title: 'Actions',
  cell: (announcement) => <AnnouncementMenu announcement={announcement} />,
};

const route = getRouteApi('/signed-in/announcements');

export function Announcements() {
  const { after = null, announcement: selected } = route.useSearch();
  const navigate = useNavigate();
  const announcements = useGraphQuery(announcementsQuery, { after });
  const canWrite = useHasScope('administration:write');
  // keeps the page of the list
  const close = (): void =>
    void navigate({
      to: '/announcements',
      search: (current) => ({ ...current, announcement: undefined }),
      state: (state) => state,
      replace: true,
      resetScroll: false,
    });
  return (
    <Screen
      title="Announcements"
      description="Messages to all users of the partner portal."
      actions={<CreateButton label="Create announcement" dialog={CreateAnnouncement} />}
    >
      <QueryResult query={announcements} name="announcements">
        {({ allAnnouncements: page }) => (
          <>
            <DataTable
              label="Announcements"
              columns={canWrite ? [...columns, actions] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                <EmptyState
                  title="No announcements yet"
                  action={canWrite && <CreateButton label="Create announcement" dialog={CreateAnnouncement} />}
                >
                  Create an announcement to inform partners in the portal.
                </EmptyState>
              }
            />
            <AnnouncementDrawer id={selected ?? null} announcements={page?.nodes ?? []} close={close} />
          </>
        )}
      </QueryResult>
    </Screen>
  );
}
