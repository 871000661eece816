/** All announcements of the operator, and links to the API changelog. */
import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useListState } from '../../../components/list-search.ts';
import { QueryResult, useIsStale } from '../../../components/query-result.tsx';
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
              <Pages nextCursor={page?.pageInfo.nextCursor ?? null} />
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

/** Buttons for the other pages; nothing for a complete list. */
function Pages({ nextCursor }: { readonly nextCursor: string | null }) {
  const { previous, next } = useListState();
  const isStale = useIsStale();
  if (previous === null && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label="Announcement pages" justify="flex-end" gap="xs" mt="md">
      <Button
        variant="default"
        size="xs"
        disabled={previous === null}
        aria-disabled={isStale}
        onClick={() => !isStale && previous?.()}
      >
        Newer
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={nextCursor === null}
        aria-disabled={isStale}
        onClick={() => !isStale && nextCursor !== null && next(nextCursor)}
      >
        Older
      </Button>
    </Group>
  );
}
