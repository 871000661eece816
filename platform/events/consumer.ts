/** Consumers of events: projections of one area from the events of another. */
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import type { EventType } from '../../schema/events.ts';
import type { Database, Queryable } from '../database/database.ts';
import { currentRequestId } from '../telemetry/request-scope.ts';

/** An event of an outbox: IDs only. */
export interface RelayedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly accountId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
  readonly position: number;
  /** The resource whose readers can read the event; null if only the named accounts can. */
  readonly subjectId: string | null;
  readonly sports: readonly string[];
  readonly competitionId: string | null;
  readonly organizationId: string | null;
  /** Accounts that can read the event, in addition to `accountId`. */
  readonly audience: readonly string[];
  /** Whether everyone could read the resource before or after the change. */
  readonly wasPublic: boolean;
}

/** Distinct IDs of the resources of one type that the events refer to. */
export function idsOf(events: readonly RelayedEvent[], resourceType: string): string[] {
  return [...new Set(events.filter((event) => event.resourceType === resourceType).map((event) => event.resourceId))];
}

/** `apply` of a consumer that projects the changed resources of one type. Events of other types have no effect. */
export function projectChanged(
  resourceType: string,
  project: (ids: readonly string[], transaction: Queryable, graph: Graph, events: readonly RelayedEvent[]) => Promise<void>,
): ApplyingConsumer['apply'] {
  return async (events, transaction, graph) => {
    const ids = idsOf(events, resourceType);
    if (ids.length > 0) await project(ids, transaction, graph, events);
  };
}

/** A projection of one area from the events of another. */
export interface Consumer {
  /** Unique within the consuming area: the name of the position in its inbox. */
  readonly name: string;
  /** The consuming area; set when its subgraph is built. */
  readonly area?: Area;
  /** The area that publishes the events. */
  readonly source: Area;
  /** Database of the consuming area. */
  readonly database: Database;
  /**
   * Applies events in the transaction that also stores their position. Reads the current state of resources through the graph. Absent if it
   * uses the periodic calls only.
   */
  apply?(events: readonly RelayedEvent[], transaction: Queryable, graph: Graph): Promise<void>;
  /**
   * Refreshes what depends on the current day; called every hour. Returns whether there is more to do.
   * @param consumed the position that every consumer of an area's events has reached
   */
  refresh?(graph: Graph, consumed: (area: Area) => Promise<number>): Promise<boolean>;
  /**
   * Processes work that is due without an event; called every few seconds, so it must be cheap without work. Returns whether there is
   * more to do now.
   * @param consumed as for `refresh`
   */
  catchUp?(graph: Graph, consumed: (area: Area) => Promise<number>): Promise<boolean>;
}

/** A consumer that applies events. */
export type ApplyingConsumer = Consumer & Required<Pick<Consumer, 'apply'>>;

export const appliesEvents = (consumer: Consumer): consumer is ApplyingConsumer => consumer.apply !== undefined;

/** The name of a consumer, with its area. */
export const consumerName = ({ name, area }: ApplyingConsumer): string => (area === undefined ? name : `${area}/${name}`);

/** The members of a log line about a consumer. */
export const nameOf = (consumer: ApplyingConsumer) => ({
  consumer: consumerName(consumer),
  source: consumer.source,
  requestId: currentRequestId('relay'),
});
