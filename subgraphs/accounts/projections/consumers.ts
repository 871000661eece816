/** What time brings in the accounts area: moves to another plan are written down, months that are over are closed; and what becomes of athletes. */
import type { Consumer } from '../../../platform/events/relay.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { reportedAthletes } from './removed-athletes.ts';
import { closeMonth } from '../usage/month-closing.ts';
import { writeMovesDown } from '../api-keys/plan-changes.ts';

/** Of its own events it makes nothing; the relay calls it for what is due. Routers know the plan that counts without it. */
export function accountConsumers(services: AreaServices): readonly Consumer[] {
  const { database, writer } = services;
  return [
    reportedAthletes(services),
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
