/** The deliveries that the sender has loaded: which of them may start now. Each endpoint has a lane, so that a slow one delays no other. */

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly resourceId: string;
  /** Attempts so far. */
  readonly attempts: number;
}

interface Lane<Delivery> {
  waiting: Delivery[];
  readonly running: Set<string>;
  /** Resources with a first attempt that has not ended: a later event of the resource waits for it. */
  readonly busy: Set<string>;
  /** Until then nothing starts, because deliveries were given back. */
  pausedUntilMs: number;
  /** Pauses since the last delivery that ended: each is twice as long as the one before. */
  pauses: number;
}

export interface LanesOptions {
  /** Attempts at a time: of all endpoints, and of one. */
  readonly total: number;
  readonly perEndpoint: number;
}

const defaults: LanesOptions = { total: 400, perEndpoint: 10 };
/** An endpoint gets at most this part of the free attempts, so that many slow ones leave some for others. */
const share = 16;
/** A lane with more waiting deliveries than this is not loaded. */
const enough = 25;
export const loadedMax = 50;
const pauseMinMs = 2_000;
const pauseMaxMs = 60_000;

function createLane<Delivery>(): Lane<Delivery> {
  return { waiting: [], running: new Set(), busy: new Set(), pausedUntilMs: -Infinity, pauses: 0 };
}

/** Lanes in memory. What they contain is in the database too: a process that stops loses nothing. */
export function createLanes<Delivery extends DueDelivery>({ total, perEndpoint }: LanesOptions = defaults) {
  const lanes = new Map<string, Lane<Delivery>>();
  /** Endpoints whose last attempt timed out: one attempt at a time, and together at most half of all. */
  const unresponsive = new Set<string>();
  /** Ended attempts that are not stored yet. */
  const unrecorded = new Set<string>();
  let running = 0;
  let runningUnresponsive = 0;

  function limitOf(endpointId: string, { running: own, pausedUntilMs }: Lane<Delivery>): number {
    if (pausedUntilMs > performance.now()) return 0;
    if (unresponsive.has(endpointId)) return runningUnresponsive < total / 2 || own.size > 0 ? 1 : 0;
    return Math.min(perEndpoint, Math.ceil((total - running) / share));
  }

  /** The first delivery of a lane that no earlier event of its resource holds back. */
  function startable({ waiting, busy }: Lane<Delivery>): number {
    const blocked = new Set(busy);
    return waiting.findIndex(({ attempts, resourceId }) => {
      if (attempts > 0) return true;
      if (!blocked.has(resourceId)) return true;
      blocked.add(resourceId);
      return false;
    });
  }

  function start(endpointId: string, lane: Lane<Delivery>): Delivery | null {
    if (running >= total || lane.running.size >= limitOf(endpointId, lane)) return null;
    const index = startable(lane);
    const [delivery] = index < 0 ? [] : lane.waiting.splice(index, 1);
    if (delivery === undefined) return null;
    lane.running.add(delivery.id);
    if (delivery.attempts === 0) lane.busy.add(delivery.resourceId);
    running += 1;
    if (unresponsive.has(endpointId)) runningUnresponsive += 1;
    return delivery;
  }

  /** Frees the place of a delivery. */
  function leave({ id, endpointId, resourceId, attempts }: Delivery): Lane<Delivery> | undefined {
    const lane = lanes.get(endpointId);
    if (lane?.running.delete(id) !== true) return undefined;
    if (attempts === 0) lane.busy.delete(resourceId);
    running -= 1;
    if (unresponsive.has(endpointId)) runningUnresponsive -= 1;
    return lane;
  }

  function removeIfEmpty(endpointId: string, { waiting, running: own }: Lane<Delivery>): void {
    if (waiting.length === 0 && own.size === 0) lanes.delete(endpointId);
  }

  return {
    /** Deliveries that must not be loaded again. */
    known: (): string[] => [
      ...unrecorded,
      ...[...lanes.values()].flatMap(({ waiting, running: own }) => [...own, ...waiting.map(({ id }) => id)]),
    ],
    /** Endpoints that need no further deliveries now. */
    full: (): string[] =>
      [...lanes].flatMap(([id, { waiting }]) =>
        waiting.length >= enough || (unresponsive.has(id) && waiting.length > 0) ? id : [],
      ),
    /** Adds loaded deliveries, in the order of their events. */
    add(deliveries: readonly Delivery[]): void {
      for (const delivery of deliveries) {
        const { endpointId } = delivery;
        const lane = lanes.get(endpointId) ?? createLane();
        lanes.set(endpointId, lane);
        // the others of an unresponsive endpoint stay in the database
        if (!unresponsive.has(endpointId) || lane.waiting.length === 0) lane.waiting.push(delivery);
      }
    },
    /** The deliveries that start now, taken from all lanes in turn. */
    take(): Delivery[] {
      const taken: Delivery[] = [];
      for (let started = -1; started !== taken.length;) {
        started = taken.length;
        for (const [endpointId, lane] of lanes) {
          const delivery = start(endpointId, lane);
          if (delivery !== null) taken.push(delivery);
        }
      }
      // the next call begins with another lane
      const [first] = lanes;
      if (first !== undefined && lanes.size > 1) {
        lanes.delete(first[0]);
        lanes.set(...first);
      }
      return taken;
    },
    /**
     * A delivery ended and must be recorded.
     * @param timedOut whether its attempt timed out; null if no attempt was made
     */
    end(delivery: Delivery, timedOut: boolean | null): void {
      const lane = leave(delivery);
      if (lane === undefined) return;
      unrecorded.add(delivery.id);
      lane.pauses = 0;
      const { endpointId } = delivery;
      const wasUnresponsive = unresponsive.has(endpointId);
      if (timedOut === true && !wasUnresponsive) {
        unresponsive.add(endpointId);
        runningUnresponsive += lane.running.size;
        lane.waiting = lane.waiting.slice(0, 1);
      } else if (timedOut === false && wasUnresponsive) {
        unresponsive.delete(endpointId);
        runningUnresponsive -= lane.running.size;
      }
      removeIfEmpty(endpointId, lane);
    },
    /** A delivery did not start: it is first in its lane, after a pause. Those that start together cause one pause. */
    giveBack(delivery: Delivery): void {
      const lane = leave(delivery);
      if (lane === undefined) return;
      lane.waiting.unshift(delivery);
      const now = performance.now();
      if (lane.pausedUntilMs > now) return;
      lane.pausedUntilMs = now + Math.min(pauseMinMs * 2 ** lane.pauses, pauseMaxMs);
      lane.pauses += 1;
    },
    /** A delivery did not start, and is no longer due. */
    forget(delivery: Delivery): void {
      const lane = leave(delivery);
      if (lane !== undefined) removeIfEmpty(delivery.endpointId, lane);
    },
    recorded(ids: readonly string[]): void {
      for (const id of ids) unrecorded.delete(id);
    },
    /** Forgets what has not started. */
    clear(): void {
      for (const [endpointId, lane] of lanes) {
        lane.waiting = [];
        removeIfEmpty(endpointId, lane);
      }
    },
    isEmpty: (): boolean => lanes.size === 0 && unrecorded.size === 0,
    /** Attempts that have not ended. */
    running: (): number => running,
  };
}

export type Lanes<Delivery extends DueDelivery> = ReturnType<typeof createLanes<Delivery>>;
