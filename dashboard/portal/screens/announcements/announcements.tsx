/** All announcements of the operator, and links to the API changelog. */
import { Anchor, Group, Paper, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useListState } from '../../../components/list-search.ts';
import { PageButtons } from '../../../components/page-buttons.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { AnnouncementList } from './announcement-list.tsx';

const announcementsQuery = graphql(`
  query Announcements($after: String) {
    announcements(first: 10, after: $after) {
      nodes {
        id
        title
        text
        publishedFrom
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const route = getRouteApi('/signed-in/announcements');

export function Announcements() {
  const { after = null } = route.useSearch();
  const { previous } = useListState();
  const query = useGraphQuery(announcementsQuery, { after }, { refetchEveryMs });
  return (
    <Screen title="Announcements" description="What the operator announces, newest first, and what changed in the API.">
      <Section title="From the operator">
        <QueryResult query={query} name="announcements">
          {({ announcements: page }) => (
            <>
              {page === null || page.nodes.length === 0 ? (
                <Paper withBorder>
                  <EmptyState title="No announcements">The operator has published no announcements.</EmptyState>
                </Paper>
              ) : (
                <AnnouncementList announcements={page.nodes} />
              )}
              {(previous !== null || page?.pageInfo.nextCursor) && (
                <Group component="nav" aria-label="Announcement pages" justify="flex-end" mt="md">
                  <PageButtons nextCursor={page?.pageInfo.nextCursor ?? null} previousLabel="Newer" nextLabel="Older" />
                </Group>
              )}
            </>
          )}
        </QueryResult>
      </Section>
      <Section title="API changelog">
        <Text>
          The{' '}
          <Anchor inherit href="/docs/changelog" underline="always">
            API changelog
          </Anchor>{' '}
          lists the changes of the REST and GraphQL APIs. Follow it with the{' '}
          <Anchor inherit href="/docs/changelog.atom" underline="always">
            Atom feed
          </Anchor>
          .
        </Text>
      </Section>
    </Screen>
  );
}
