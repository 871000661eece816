/** Batches refunds by subject, day and cap, with one batch in flight; failures are only logged. */
import type { Logger } from 'pino';
import type { QuotaStore, Subject, Usage } from './store.ts';

export interface Refund {
  readonly subject: Subject;
  readonly day: string;
  readonly month: string;
  /** Null: unused units are released. */
  readonly cap: number | null;
  units: number;
  readonly waiting: { readonly units: number; readonly resolve: (given: number) => void }[];
}

/** Distributes refunded units in request order. */
function share(given: number, { waiting }: Refund): void {
  let left = given;
  for (const { units, resolve } of waiting) {
    const own = Math.min(units, left);
    left -= own;
    resolve(own);
  }
}

/** @param send refunds a batch and returns the refunded units per entry; throws when the store is down. */
export function createRefunds(
  send: (batch: readonly Refund[]) => Promise<readonly number[]>,
  log: Pick<Logger, 'error'>,
): Pick<QuotaStore, 'refund' | 'close'> {
  let refunds = new Map<string, Refund>();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (refunds.size > 0) {
      await new Promise(setImmediate);
      const batch = [...refunds.values()];
      refunds = new Map();
      try {
        const given = await send(batch);
        batch.forEach((refund, index) => share(given[index] ?? 0, refund));
      } catch (err) {
        log.error({ err, refunds: batch.length }, 'quota refunds lost');
        for (const refund of batch) share(0, refund);
      }
    }
    running = null;
  }

  return {
    refund(subject, { day, month }: Pick<Usage, 'day' | 'month'>, units, cap) {
      const name = `${subject} ${day} ${cap}`;
      const refund = refunds.get(name) ?? { subject, day, month, cap, units: 0, waiting: [] };
      refunds.set(name, refund);
      refund.units += units;
      const { promise, resolve } = Promise.withResolvers<number>();
      refund.waiting.push({ units, resolve });
      running ??= run();
      return promise;
    },
    close: () => running ?? Promise.resolve(),
  };
}
