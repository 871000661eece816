/** The moderation queues, in the order of their tabs. */
export const queueNames = ['organizations', 'athletes', 'statistics', 'replays', 'reports'] as const;

export type QueueName = (typeof queueNames)[number];

export const isQueueName = (name: string | null): name is QueueName => queueNames.some((known) => known === name);
