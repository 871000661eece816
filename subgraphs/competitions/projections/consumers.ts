/** Consumers of events of the athletes area. They follow erased and merged athletes and review replays that show a minor. */
import { projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import { unusedImages } from '../../runtime/image-writes.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { followRemovedAthletes } from './removed-athletes.ts';
import { expireReplays, reviewMinors } from '../replays/transitions.ts';

/** The consumers of this area. They read the current facts, so repeated or late events change nothing. */
export function competitionConsumers({ database, images, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      apply: projectChanged('athlete', async (ids, transaction, graph) => {
        await followRemovedAthletes(transaction, writer, graph, ids);
        await reviewMinors(transaction, writer, await athletesById({ graph }, ids));
      }),
      catchUp: () => expireReplays(database, writer),
    },
    unusedImages('competitions', { database, images }),
  ];
}
