/** Reads the event feed of accounts for the hub. */
import type { GraphDocument } from '../../schema/entry-point.ts';
import { feedPollId } from '../../schema/feed.ts';
import { SYSTEM } from '../../schema/viewer.ts';
import type { RouterGraph } from '../graph.ts';
import type { FeedEvent, ReadFeed } from './event-hub.ts';

type FeedQuery = GraphDocument<
  {
    readonly feedEvents: { readonly events: readonly FeedEvent[]; readonly lastSequence: number; readonly cursor: string } | null;
  },
  { readonly after: number | null; readonly first: number }
>;

const feedQuery: FeedQuery = `query feedEvents($after: SafeInt, $first: Int!) {
  feedEvents(after: $after, first: $first) {
    events {
      sequence id type area resourceType resourceId version at accountId audience subjectId sports competitionId organizationId wasPublic
    }
    lastSequence
    cursor
  }
}`;

/**
 * The feed of the platform, or that of the sandbox of the system viewer. A poll of a closed sandbox returns null. Throws Problem upstream_unavailable while
 * accounts does not respond.
 */
export const createFeedReader =
  (graph: Pick<RouterGraph, 'internal'>, viewer = SYSTEM): ReadFeed =>
  async (after, first, isPoll) => {
    const { feedEvents } = await graph.internal(viewer, isPoll ? feedPollId : 'event-hub')(feedQuery, { after, first });
    if (feedEvents === null) return null;
    return { events: feedEvents.events, last: { sequence: feedEvents.lastSequence, cursor: feedEvents.cursor } };
  };
