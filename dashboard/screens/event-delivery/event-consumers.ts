/** The query of the consumers, for their list and for the screen of one. */
import type { EventConsumersQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { formatDuration } from '../../components/number-format.ts';

export const eventConsumersQuery = graphql(`
  query EventConsumers {
    eventConsumers {
      area
      name
      publishedBy
      lag
      oldestSeconds
      deadLetters
      updatedAt
    }
  }
`);

export type EventConsumer = NonNullable<EventConsumersQuery['eventConsumers']>[number];

/** Age of the oldest waiting event from which a consumer is degraded, as in the health of the relay. */
const degradedSeconds = 30;

/** The status of a consumer, as the health of the relay counts it. */
export const consumerStatus = ({ deadLetters, oldestSeconds }: EventConsumer): 'UP' | 'DEGRADED' =>
  deadLetters > 0 || (oldestSeconds ?? 0) >= degradedSeconds ? 'DEGRADED' : 'UP';

/** The age of the oldest waiting event; a dash without one. */
export const waitingTime = ({ oldestSeconds }: EventConsumer): string =>
  oldestSeconds === null ? '–' : formatDuration(oldestSeconds * 1_000);
