/** The types of events of the feed, by name. */
import { events } from '../../../schema/events.ts';

const descriptions: Readonly<Record<string, { readonly description: string }>> = events;

/** A test of a webhook endpoint is a delivery, but not in the feed. */
export const testType = 'webhook.test';

export const deliveryTypes: readonly string[] = Object.keys(events).sort();
export const feedTypes: string[] = deliveryTypes.filter((type) => type !== testType);

/** When an event of the type is published; null for an unknown type. */
export const typeDescription = (type: string): string | null => descriptions[type]?.description ?? null;
