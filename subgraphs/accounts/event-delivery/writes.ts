/** Requests the retry of dead letters. The relay receives the request as an event, because an area writes only its own rows. */
import { randomUUID } from 'node:crypto';
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { areaOf } from '../area-names.ts';
import type { MutationRetryDeadLettersArgs } from '../generated/resolvers.ts';
import type { EventDeliveryReads } from './reads.ts';

export interface DeadLetterRetryRow {
  readonly id: string;
  /** Number of dead letters. */
  readonly requested: number;
}

/** Writes over the area's database. The caller must check that the viewer may administer the platform. */
export function createEventDeliveryWrites({ writer }: Pick<AreaServices, 'writer'>, reads: EventDeliveryReads) {
  return {
    /** Throws Problem not_found (404) for an unknown consumer, or if none of the events is a dead letter of it. Without dead letters nothing is written. */
    async retry(context: Context, { area: name, consumer, eventIds }: MutationRetryDeadLettersArgs): Promise<DeadLetterRetryRow> {
      const area = areaOf(name);
      const { deadLetters } = await reads.consumer(context, area, consumer);
      const found = eventIds
        ? await reads.deadLettersOf(context, area, { consumer, first: eventIds.length, ids: eventIds })
        : null;
      if (found?.length === 0) throw new Problem('not_found', 'None of these events is a dead letter of the consumer.');
      const id = randomUUID();
      const requested = found?.length ?? deadLetters;
      if (requested === 0) return { id, requested };
      return writer.write(context, (transaction) => {
        const request = { area, consumer, eventIds: found?.map((letter) => letter.id) ?? null };
        const before = { id, version: 1, accountId: null };
        const after = { ...before, ...request, requested };
        transaction.record({ action: 'requested', event: 'dead_letter_retry.requested', before, after, data: request });
        return Promise.resolve({ id, requested });
      });
    },
  };
}
