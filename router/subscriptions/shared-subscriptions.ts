/** Subscriptions by what their viewers see: those with the same query, variables and rights share each execution and its payload. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Viewer } from '../../schema/viewer.ts';
import { visibilityKey } from '../caching/response-sources.ts';
import type { RouterGraph } from '../graph.ts';
import type { Variables } from '../operations/conditions.ts';
import { subscriptionQueries, type QueryField } from '../operations/subscription-query.ts';
import type { EventHub, FeedEvent } from '../streams/event-hub.ts';
import { createExecutionQueue } from './execution-queue.ts';
import { outcomeOfError, outcomeOfState, outcomesOfItems, type Outcome, type Subscriber } from './payload.ts';
import type { RequestedSubscription } from './requested-subscription.ts';
import { createSharedEvents, type SharedEvents } from './shared-events.ts';
import { createSharedState, type SharedState } from './shared-state.ts';
import { subscriptionSources, type ItemSource, type StateSource } from './subscription-sources.ts';

export interface SharedSubscriptions {
  /**
   * Adds a subscriber. Resolves when it receives every later event; returns the function that removes it. Rejects with Problem
   * upstream_unavailable while the feed cannot be read.
   */
  subscribe(subscription: RequestedSubscription, viewer: Viewer, subscriber: Subscriber): Promise<() => void>;
}

type Group =
  | { readonly kind: 'STATE'; readonly subject: string; readonly shared: SharedState }
  | { readonly kind: 'ITEMS'; readonly isCause: (event: FeedEvent) => boolean; readonly shared: SharedEvents };

/** Executions at the same time, of all subscriptions of a process. */
const executionsMax = 16;

export function createSharedSubscriptions(
  graph: Pick<RouterGraph, 'execute'>,
  hub: Pick<EventHub, 'subscribe' | 'position'>,
  log: Pick<Logger, 'error'>,
): SharedSubscriptions {
  const groups = new Map<string, Group>();
  const bySubject = new Map<string, Set<SharedState>>();
  const itemGroups = new Set<Extract<Group, { kind: 'ITEMS' }>>();
  const enqueue = createExecutionQueue(executionsMax);
  let subscribers = 0;
  let leaveHub: (() => void) | null = null;

  function statesOf({ subjectId, resourceId }: FeedEvent): readonly SharedState[] {
    const ids = subjectId === null || subjectId === resourceId ? [resourceId] : [subjectId, resourceId];
    return ids.flatMap((id) => [...(bySubject.get(id) ?? [])]);
  }

  function receive(events: readonly FeedEvent[]): void {
    for (const state of new Set(events.flatMap(statesOf))) state.changed();
    for (const { isCause, shared } of [...itemGroups]) shared.push(events.filter(isCause));
  }

  function receiveLost(): void {
    for (const { kind, shared } of [...groups.values()]) {
      if (kind === 'STATE') shared.changed();
      else shared.lost();
    }
  }

  /** Runs the query of a subscription as one of its viewers. */
  function createRun({ query, variables }: RequestedSubscription, viewer: Viewer) {
    return async <Result>(rootArguments: Variables, then: (execution: Awaited<ReturnType<RouterGraph['execute']>>) => Result) => {
      const values = query.variablesOf(variables, rootArguments);
      return then(await enqueue(() => graph.execute(query.operation, { variables: values, viewer, requestId: randomUUID() })));
    };
  }

  /** The outcome of an execution that was rejected; an unexpected error is logged, and the execution is repeated. */
  function rejected(error: unknown): Outcome {
    try {
      return outcomeOfError(error);
    } catch {
      log.error({ err: error }, 'subscription failed');
      return { kind: 'RETRY' };
    }
  }

  function createState(subscription: RequestedSubscription, source: StateSource, viewer: Viewer): Group {
    const { query, given } = subscription;
    const run = createRun(subscription, viewer);
    const read = () =>
      run(source.argumentsOf(given), (execution) => outcomeOfState(execution, query.responseKey)).catch(rejected);
    return { kind: 'STATE', subject: source.subjectOf(given), shared: createSharedState(read) };
  }

  function createItems(subscription: RequestedSubscription, source: ItemSource, viewer: Viewer): Group {
    const { query, given } = subscription;
    const { items = null }: QueryField = subscriptionQueries[query.field];
    const run = createRun(subscription, viewer);
    const read = (events: readonly FeedEvent[]): Promise<readonly Outcome[]> =>
      run(source.argumentsOf(given, events), (execution) =>
        outcomesOfItems(execution, query.responseKey, items, events.length),
      ).catch((error: unknown) => [rejected(error)]);
    return {
      kind: 'ITEMS',
      isCause: source.causesOf(given, viewer),
      shared: createSharedEvents(source.batchSize, read),
    };
  }

  function createGroup(key: string, subscription: RequestedSubscription, viewer: Viewer): Group {
    const source = subscriptionSources[subscription.query.field];
    const group = source.kind === 'STATE' ? createState(subscription, source, viewer) : createItems(subscription, source, viewer);
    groups.set(key, group);
    if (group.kind === 'ITEMS') itemGroups.add(group);
    else bySubject.set(group.subject, (bySubject.get(group.subject) ?? new Set()).add(group.shared));
    return group;
  }

  function removeGroup(key: string, group: Group): void {
    if (groups.get(key) === group) groups.delete(key);
    if (group.kind === 'ITEMS') return void itemGroups.delete(group);
    const states = bySubject.get(group.subject);
    states?.delete(group.shared);
    if (states?.size === 0) bySubject.delete(group.subject);
  }

  function leave(): void {
    subscribers -= 1;
    if (subscribers > 0) return;
    leaveHub?.();
    leaveHub = null;
  }

  return {
    async subscribe(subscription, viewer, subscriber) {
      subscribers += 1;
      leaveHub ??= hub.subscribe({ onEvents: receive, onLost: receiveLost });
      await hub.position().catch((error: unknown) => {
        leave();
        throw error;
      });
      const key = [
        visibilityKey(viewer),
        subscription.query.operation.text,
        JSON.stringify([subscription.variables, subscription.given]),
      ].join('\n');
      const group = groups.get(key) ?? createGroup(key, subscription, viewer);
      group.shared.add(subscriber);
      let isRemoved = false;
      return () => {
        if (isRemoved) return;
        isRemoved = true;
        group.shared.remove(subscriber);
        if (group.shared.isEmpty()) removeGroup(key, group);
        leave();
      };
    },
  };
}
