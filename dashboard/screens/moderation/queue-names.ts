/** The queues of the moderators, in the order of their tabs. */
export const queueNames = ['organizations', 'athletes', 'statistics', 'replays', 'reports'] as const;

export type QueueName = (typeof queueNames)[number];

export interface QueueProps {
  /** Cursor of the page before. */
  readonly after: string | null;
  /** Which of its rows, as the URL says it. */
  readonly waits: string | undefined;
  readonly mayDecide: boolean;
}
