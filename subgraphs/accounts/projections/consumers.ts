/** Consumers of the accounts area: the event feed, texts of webhooks, removed athletes, checks of components, due plan changes and monthly statements. */
import type { Consumer } from '../../../platform/events/consumer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { applyDuePlanChanges } from '../api-keys/due-plan-changes.ts';
import { feedConsumers } from '../events/projection.ts';
import { componentChecks } from '../status/checks.ts';
import { closeMonth } from '../usage/month-closing.ts';
import { excerptRemovals } from '../webhooks/excerpt-removal.ts';
import { removedAthleteReports } from './removed-athletes.ts';

/** The consumers without events use only the periodic call of the relay. Routers apply due plan changes without it. */
export function accountConsumers(services: AreaServices): readonly Consumer[] {
  const { database, writer } = services;
  return [
    removedAthleteReports(services),
    componentChecks(services),
    ...feedConsumers(database),
    ...excerptRemovals(database),
    {
      name: 'plan-moves',
      source: 'accounts',
      database,
      catchUp: () => applyDuePlanChanges(database, writer),
    },
    {
      name: 'months',
      source: 'accounts',
      database,
      catchUp: () => closeMonth(services),
    },
  ];
}
