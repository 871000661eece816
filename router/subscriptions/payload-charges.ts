/** Charges payloads after they are delivered: those of a second together, and those of all subscriptions of a key from one address. */
import type { Logger } from 'pino';
import type { Caller } from '../../schema/entry-point.ts';
import { errors, type Problem } from '../../schema/errors.ts';
import type { Admission } from '../admission/admission.ts';

/** A subscription whose payloads are charged. */
export interface ChargedSubscription {
  readonly caller: Caller;
  /** Units of each payload. */
  readonly units: number;
  readonly name: string | null;
  /** The quota of the caller is exhausted. */
  readonly exhausted: (problem: Problem) => void;
}

export interface PayloadCharges {
  /** Records a delivered payload. */
  delivered(subscription: ChargedSubscription): void;
  close(): Promise<void>;
}

interface Due {
  units: number;
  readonly subscriptions: Set<ChargedSubscription>;
}

const everyMs = 1_000;

export function createPayloadCharges(admission: Pick<Admission, 'admit'>, log: Pick<Logger, 'error'>): PayloadCharges {
  let due = new Map<string, Due>();
  let timer: NodeJS.Timeout | undefined;
  let charging: Promise<void> = Promise.resolve();

  function add(subscriptions: Iterable<ChargedSubscription>, units: number): void {
    const [first] = subscriptions;
    if (first === undefined) return;
    const { credentials, address, host } = first.caller;
    const key = JSON.stringify([credentials, address, host]);
    const known = due.get(key) ?? { units: 0, subscriptions: new Set() };
    due.set(key, known);
    known.units += units;
    for (const each of subscriptions) known.subscriptions.add(each);
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  async function charge({ units, subscriptions }: Due): Promise<void> {
    const [first] = subscriptions;
    if (first === undefined) return;
    const outcome = await admission.admit(first.caller, { charge: 'MORE', cost: units });
    if (outcome.kind === 'ADMITTED') return outcome.settle({ status: 200, operation: first.name });
    const { status } = errors[outcome.problem.code];
    outcome.settle({ status, operation: first.name });
    // the limits of streams end those whose key is rejected; a busy or unavailable platform charges later
    if (status === 429) for (const { exhausted } of subscriptions) exhausted(outcome.problem);
    else if (status === 503) add(subscriptions, units);
  }

  function flush(): Promise<void> {
    timer = undefined;
    const now = [...due.values()];
    due = new Map();
    charging = Promise.all([charging, ...now.map(charge)]).then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'payloads could not be charged'),
    );
    return charging;
  }

  return {
    delivered: (subscription) => add([subscription], subscription.units),
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}
