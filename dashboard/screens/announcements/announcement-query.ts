/** The queries and mutations of announcements that several components use. */
import type { AnnouncementsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const announcementsQuery = graphql(`
  query Announcements($after: String) {
    allAnnouncements(first: 25, after: $after) {
      nodes {
        id
        version
        createdAt
        updatedAt
        title
        text
        publishedFrom
        publishedUntil
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export const updateMutation = graphql(`
  mutation UpdateAnnouncement($id: ID!, $input: UpdateAnnouncementInput!, $ifMatch: String!) {
    updateAnnouncement(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

export type Announcement = NonNullable<AnnouncementsQuery['allAnnouncements']>['nodes'][number];
