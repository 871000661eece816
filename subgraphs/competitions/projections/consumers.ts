/** What the competitions area makes of the athletes area: a replay in which somebody turns out to be a minor is reviewed, and who is erased or merged is no more. */
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { followDeparted } from './removed-athletes.ts';
import { expireReplays, reviewMinors } from '../replays/transitions.ts';

/** The projections of this area. Facts are read as they are now, so events that come twice or late change nothing. */
export function competitionConsumers({ database, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = idsOf(events, 'athlete');
        if (ids.length === 0) return;
        await followDeparted(transaction, writer, graph, ids);
        await reviewMinors(transaction, writer, await athletesById({ graph }, ids));
      },
      catchUp: () => expireReplays(database, writer),
    },
  ];
}
