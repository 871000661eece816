/** The moderation queues, in the order of their tabs. */
export const queueNames = ['organizations', 'athletes', 'statistics', 'replays', 'reports'] as const;

export type QueueName = (typeof queueNames)[number];

/** The tabs of the screen: the queues, and past decisions. */
export const tabNames = [...queueNames, 'decided'] as const;

type TabName = (typeof tabNames)[number];

export const isTabName = (name: string | null): name is TabName => tabNames.some((known) => known === name);
