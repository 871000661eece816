/** What the router and the accounts area share about the event feed. */

/** PostgreSQL channel that announces new events of the feed. */
export const feedChannel = 'event_feed';

/** PostgreSQL channel that announces webhook deliveries which an account requested. */
export const webhookChannel = 'webhook_delivery';
