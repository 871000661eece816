/** What the router and the accounts area share about the event feed. */
import type { SubgraphRequest } from './subgraph-client.ts';

/** PostgreSQL channel that announces new events of the feed. */
export const feedChannel = 'event_feed';

/** PostgreSQL channel that announces webhook deliveries which an account requested. */
export const webhookChannel = 'webhook_delivery';

/** Request ID of reads of the feed by which a router looks for new events. They do not count as use of test data. */
export const feedPollId = 'event-hub-poll';

/** Whether a request looks for new events. No client can send one as the system. */
export const isFeedPoll = ({ viewer, requestId }: Pick<SubgraphRequest, 'viewer' | 'requestId'>): boolean =>
  viewer.kind === 'SYSTEM' && requestId === feedPollId;
