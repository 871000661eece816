/** What time alone brings in the accounts area: moves to another plan are written down, months that are over are closed. */
import type { Consumer } from '../../platform/relay.ts';
import type { AreaServices } from '../subgraph.ts';
import { closeMonth } from './store/month-closing.ts';
import { writeMovesDown } from './store/plan-moves.ts';

/** It makes nothing of events; the relay calls it for what is due. Routers know the plan that counts without it. */
export function accountConsumers({ database, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'plan-moves',
      source: 'accounts',
      database,
      apply: () => Promise.resolve(),
      catchUp: () => writeMovesDown(database, writer),
    },
    {
      name: 'months',
      source: 'accounts',
      database,
      apply: () => Promise.resolve(),
      catchUp: () => closeMonth(database),
    },
  ];
}
