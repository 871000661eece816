/** The fields that all areas have: history, change state and event delivery. */
import type { Area } from '../../schema/areas.ts';
import { changeStateField } from '../../schema/change-state-types.ts';
import { deadLettersField, eventDeliveryField, waitingSecondsField } from '../../schema/event-delivery-types.ts';
import { historyField } from '../../schema/history-types.ts';
import type { Database } from '../../platform/database/database.ts';
import { readChangeState } from '../../platform/events/change-state.ts';
import { appliesEvents, type Consumer } from '../../platform/events/consumer.ts';
import { createDeliveryState, type ConsumerName, type DeadLetterArguments } from '../../platform/events/delivery-state.ts';
import { retryRequestConsumer } from '../../platform/events/retry-requests.ts';
import { readHistory, type HistoryArguments, type HistorySubject } from '../../platform/writes/history.ts';
import type { Context } from './subgraph.ts';

/** The athletes of resources. Scouting reports name them by their entry, reports to the moderators as their subject. */
const athletesOf: HistorySubject = { members: ['athleteId'] };
const subjects: Partial<Readonly<Record<Area, HistorySubject>>> = {
  accounts: { members: ['subjectId'] },
  competitions: {
    // of replays, pairs and relays, goals, and team sheets of matches
    members: ['athleteId', 'athleteIds', 'memberIds', 'assistId', 'participants'],
    through: { member: 'participantId', resourceType: 'participant' },
  },
  scouting: { ...athletesOf, through: { member: 'entryId', resourceType: 'shortlist_entry' } },
};

interface AreaResources {
  readonly name: Area;
  readonly database: Database;
  readonly consumers: readonly Consumer[];
}

/** The resolvers of an area, and those of the fields that are the same in all areas. */
export function withAreaFields({ name, database, consumers }: AreaResources, resolvers: { readonly Query?: object }): object {
  const ownConsumers: readonly ConsumerName[] = consumers.filter(appliesEvents);
  const delivery = createDeliveryState(
    database,
    name === retryRequestConsumer.source ? [...ownConsumers, retryRequestConsumer] : ownConsumers,
  );
  const common = {
    [historyField(name)]: (_: unknown, args: HistoryArguments, { viewer }: Context) =>
      readHistory(database, viewer, args, subjects[name] ?? athletesOf),
    [changeStateField(name)]: () => readChangeState(database),
    [eventDeliveryField(name)]: (_: unknown, __: unknown, { viewer }: Context) => delivery.read(viewer),
    [waitingSecondsField(name)]: (_: unknown, { after }: { readonly after: readonly number[] }, { viewer }: Context) =>
      delivery.waitingSeconds(viewer, after),
    [deadLettersField(name)]: (_: unknown, args: DeadLetterArguments, { viewer }: Context) => delivery.deadLetters(viewer, args),
  };
  return { ...resolvers, Query: { ...resolvers.Query, ...common } };
}
