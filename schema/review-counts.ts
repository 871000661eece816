/** Counts of moderation queues. */

/** The largest count that a queue reports; it stands for this number or more. */
export const reviewCountMax = 100;
