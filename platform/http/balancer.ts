/** Distributes HTTP calls over the instances of another process, and leaves out instances that cannot be reached. */
import { errorCode } from '../error-code.ts';
import { createInstances, type Instance, type InstancesOptions } from './instances.ts';

export interface BalancerOptions<Resource> extends Omit<InstancesOptions<Resource>, 'close'> {
  readonly close: (resource: Resource) => Promise<void> | void;
}

export interface BalancedCall<Resource, Result> {
  /** Sends the call to an instance. */
  readonly send: (resource: Resource, instance: string) => Promise<Result>;
  /** Whether a call that may have been executed can be sent again after this error. */
  readonly mayRepeat: (error: unknown) => boolean;
  /** The instance that gets the call if it can be reached. */
  readonly preferred?: string | undefined;
}

export interface Balancer<Resource> {
  /**
   * Sends a call to the instance with fewer calls in progress of two random ones. A call whose connection could not be opened was not sent:
   * it goes to the next instance. Throws the last error.
   */
  run<Result>(call: BalancedCall<Resource, Result>): Promise<Result>;
  close(): Promise<void>;
}

interface Place<Resource> {
  readonly id: string;
  readonly resource: Resource;
  pending: number;
  failures: number;
  /** It is left out until then, on the clock of `performance.now()`. */
  retryAtMs: number;
}

/** Longer than a connection takes to another machine of the same network. */
export const connectTimeoutMs = 2_000;
const backoffMinMs = 100;
const backoffMaxMs = 5_000;
const notSentCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the connection could not be opened, so that the call was certainly not sent. */
export function isNotSent(error: unknown): boolean {
  if (notSentCodes.has(errorCode(error) ?? '')) return true;
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

/** The less busy one of two random items: close to the least busy of all, and callers do not choose the same one at once. */
export function lessBusy<Item>(items: readonly Item[], pendingOf: (item: Item) => number): Item | undefined {
  const first = Math.floor(Math.random() * items.length);
  const second = (first + 1 + Math.floor(Math.random() * (items.length - 1))) % Math.max(1, items.length);
  const [one, other] = [items[first], items[second]];
  if (one === undefined || other === undefined) return one;
  return pendingOf(other) < pendingOf(one) ? other : one;
}

export function createBalancer<Resource>({ open, close, ...options }: BalancerOptions<Resource>): Balancer<Resource> {
  const openPlace = (instance: Instance): Place<Resource> => ({
    id: instance.id,
    resource: open(instance),
    pending: 0,
    failures: 0,
    retryAtMs: 0,
  });
  const instances = createInstances({ ...options, open: openPlace, close: ({ resource }) => void close(resource) });

  function choose(tried: ReadonlySet<Place<Resource>>, preferred?: string): Place<Resource> {
    const all = instances.list();
    const fresh = all.filter((place) => !tried.has(place));
    const candidates = fresh.length > 0 ? fresh : all;
    const now = performance.now();
    const reachable = candidates.filter(({ retryAtMs }) => retryAtMs <= now);
    const chosen =
      reachable.find(({ id }) => id === preferred) ??
      lessBusy(reachable, ({ pending }) => pending) ??
      candidates.toSorted((one, other) => one.retryAtMs - other.retryAtMs)[0];
    if (chosen === undefined) throw new Error('There is no instance.');
    return chosen;
  }

  function leaveOut(place: Place<Resource>): void {
    place.retryAtMs = performance.now() + Math.min(backoffMaxMs, backoffMinMs * 2 ** place.failures);
    place.failures += 1;
    instances.expire();
  }

  async function attempt<Result>(place: Place<Resource>, call: BalancedCall<Resource, Result>): Promise<Result> {
    place.pending += 1;
    try {
      const result = await call.send(place.resource, place.id);
      place.failures = 0;
      return result;
    } catch (error) {
      if (isNotSent(error)) leaveOut(place);
      throw error;
    } finally {
      place.pending -= 1;
    }
  }

  return {
    async run(call) {
      await instances.ready();
      const tried = new Set<Place<Resource>>();
      for (;;) {
        const place = choose(tried, tried.size === 0 ? call.preferred : undefined);
        try {
          return await attempt(place, call);
        } catch (error) {
          tried.add(place);
          const hasNext = instances.list().some((other) => !tried.has(other));
          if (!(isNotSent(error) && hasNext) && !call.mayRepeat(error)) throw error;
        }
      }
    },
    async close() {
      await Promise.all(instances.list().map(async ({ resource }) => close(resource)));
    },
  };
}
