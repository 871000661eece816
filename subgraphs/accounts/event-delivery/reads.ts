/** Reads of the event delivery of all areas: the consumers with their lag, and the dead letters of one consumer. */
import { setTimeout } from 'node:timers/promises';
import { areas, type Area } from '../../../schema/areas.ts';
import type { GraphDocument } from '../../../schema/entry-point.ts';
import { Problem, temporaryCodes } from '../../../schema/errors.ts';
import { deadLettersField, eventDeliveryField, waitingSecondsField } from '../../../schema/event-delivery-types.ts';
import { raw } from '../../../platform/database/database.ts';
import type { ConsumerState, DeadLetter, DeadLetterArguments, DeliveryState } from '../../../platform/events/delivery-state.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { pageOf, type Page, type Sort } from '../../../platform/lists/page.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { areaOf } from '../area-names.ts';
import type { QueryDeadLettersArgs } from '../generated/resolvers.ts';

/** A consumer and how far it is behind. */
export interface EventConsumerRow extends ConsumerState {
  readonly area: Area;
  /** Events that it has not applied. */
  readonly lag: number;
  /** Age of the oldest of them; null if it is up to date. */
  readonly oldestSeconds: number | null;
}

export type DeadLetterPage = Page<DeadLetter>;

type Document<Data, Variables> = GraphDocument<Readonly<Record<string, Data>>, Variables>;

/** The queries select exactly the members of their types; no generated type has a field name that depends on the area. */
const deliveryQuery = (area: Area): Document<DeliveryState | null, object> => /* GraphQL */ `
  query ${area}Delivery {
    ${eventDeliveryField(area)} { last unstamped consumers { name publishedBy position updatedAt deadLetters } }
  }
`;

const waitingQuery = (
  area: Area,
): Document<readonly (number | null)[] | null, { readonly after: readonly number[] }> => /* GraphQL */ `
  query ${area}Waiting($after: [SafeInt!]!) {
    ${waitingSecondsField(area)}(after: $after)
  }
`;

const deadLettersQuery = (area: Area): Document<readonly DeadLetter[] | null, DeadLetterArguments> => /* GraphQL */ `
  query ${area}DeadLetters($consumer: String!, $first: Int!, $before: AreaHistoryPlace, $ids: [ID!]) {
    ${deadLettersField(area)}(consumer: $consumer, first: $first, before: $before, ids: $ids) {
      id
      type
      resourceType
      resourceId
      version
      position
      at
      error
      attempts
      failedAt
      retryRequested
    }
  }
`;

const lastFailedFirst: Sort<DeadLetter> = {
  column: raw('dead_letter.failed_at'),
  type: 'timestamptz',
  direction: 'desc',
  value: ({ failedAt }) => failedAt,
};

/** Throws the Problem of an unavailable area with the name of the area. */
async function orUnavailable<Result>(area: Area, read: Promise<Result>): Promise<Result> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Problem) || !temporaryCodes.has(error.code)) throw error;
    throw new Problem(error.code, `The area ${area} is unavailable, so its event delivery is unknown. Try again shortly.`);
  }
}

type Deliveries = ReadonlyMap<Area, DeliveryState>;

async function deliveryOf({ graph }: Pick<Context, 'graph'>, area: Area): Promise<readonly [Area, DeliveryState]> {
  const data = await orUnavailable(area, graph(deliveryQuery(area)));
  return [area, data[eventDeliveryField(area)] ?? { last: 0, unstamped: 0, consumers: [] }];
}

/** The deliveries of the areas that respond in time. */
async function availableDeliveries(context: Pick<Context, 'graph'>, deadlineMs: number): Promise<Deliveries> {
  const late = setTimeout(deadlineMs, null, { ref: false }).then(() => Promise.reject(new Error('No response in time')));
  const all = await Promise.allSettled(areas.map((area) => Promise.race([deliveryOf(context, area), late])));
  return new Map(all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
}

/** Adds the ages of the waiting events, with one query per publishing area. */
async function withAges({ graph }: Pick<Context, 'graph'>, rows: readonly EventConsumerRow[]): Promise<EventConsumerRow[]> {
  const behind = Map.groupBy(
    rows.filter(({ lag }) => lag > 0),
    ({ publishedBy }) => publishedBy,
  );
  const ages = await Promise.all(
    [...behind].map(async ([area, late]) => {
      const data = await orUnavailable(area, graph(waitingQuery(area), { after: late.map(({ position }) => position) }));
      const seconds = data[waitingSecondsField(area)] ?? [];
      return late.map((row, index) => [row, seconds[index] ?? null] as const);
    }),
  );
  const ageOf = new Map(ages.flat());
  return rows.map((row) => ({ ...row, oldestSeconds: ageOf.get(row) ?? null }));
}

/** The consumers of these areas. A consumer whose publishing area is absent has no known lag and is left out. */
function consumersOf(deliveries: Deliveries): EventConsumerRow[] {
  return [...deliveries].flatMap(([area, { consumers }]) =>
    consumers.flatMap((consumer) => {
      const outbox = deliveries.get(consumer.publishedBy);
      // the outbox may have been read before the position
      const lag = outbox && Math.max(0, outbox.last - consumer.position + outbox.unstamped);
      return lag === undefined ? [] : [{ ...consumer, area, lag, oldestSeconds: null }];
    }),
  );
}

/**
 * The consumers of the areas that respond in time, for the health of the platform. Throws Problem upstream_unavailable (503) or
 * upstream_timeout (504) if an area becomes unavailable in between.
 */
export async function readAvailableConsumers(context: Pick<Context, 'graph'>, deadlineMs: number): Promise<EventConsumerRow[]> {
  return withAges(context, consumersOf(await availableDeliveries(context, deadlineMs)));
}

/** Reads over the graph. The caller must check that the viewer is an administrator. */
export function createEventDeliveryReads({ cursors }: Pick<AreaServices, 'cursors'>) {
  async function deadLettersOf({ graph }: Context, area: Area, args: DeadLetterArguments): Promise<readonly DeadLetter[]> {
    const data = await orUnavailable(area, graph(deadLettersQuery(area), args));
    return data[deadLettersField(area)] ?? [];
  }

  return {
    deadLettersOf,
    /** Throws Problem upstream_unavailable (503) or upstream_timeout (504) while an area is unavailable. */
    async consumers(context: Context): Promise<EventConsumerRow[]> {
      const deliveries = new Map(await Promise.all(areas.map((area) => deliveryOf(context, area))));
      return withAges(context, consumersOf(deliveries));
    },
    /** The state of one consumer. Throws Problem not_found (404) for an unknown consumer. */
    async consumer(context: Context, area: Area, name: string): Promise<ConsumerState> {
      const [, { consumers }] = await deliveryOf(context, area);
      const found = consumers.find((each) => each.name === name);
      if (!found) throw new Problem('not_found', `There is no consumer with the name "${name}".`);
      return found;
    },
    /** Throws Problem not_found (404) for an unknown consumer, and cursor_invalid (400). */
    async deadLetters(context: Context, args: QueryDeadLettersArgs): Promise<DeadLetterPage> {
      const { consumer, first = 20, after } = args;
      const area = areaOf(args.area);
      const fingerprint = fingerprintOf('deadLetters.list', { area, consumer }, null);
      const [at, id] = after ? cursors.open(after, fingerprint) : [];
      const before = after ? { at: String(at), id: String(id) } : null;
      const rows = await deadLettersOf(context, area, { consumer, first: first + 1, before });
      return pageOf(cursors, lastFailedFirst, fingerprint, { first, after }, rows);
    },
  };
}

export type EventDeliveryReads = ReturnType<typeof createEventDeliveryReads>;
