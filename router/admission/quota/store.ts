/** The quota store contract of admission, implemented by PostgreSQL and Redis with the same guarantees. */
import { Problem } from '../../../schema/errors.ts';

/** The limits of a pricing plan. Burst is a token bucket of one minute's requests; day and month are UTC calendar windows. */
export interface Limits {
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
}

/** A quota subject, as lower-case hex of 16 to 64 bytes: the lineage of a key or a hashed address. */
export type Subject = string;

/**
 * How a request counts. COUNTED: its cost counts in day and month, and it takes one of the burst.
 * BURST_ONLY: day and month do not count it. COUNTED_NEVER_REJECTED: day and month count it but never reject it.
 * MORE: additional cost of an admitted request; the burst is not charged.
 */
export type Charge = 'COUNTED' | 'BURST_ONLY' | 'COUNTED_NEVER_REJECTED' | 'MORE';

/** The state of a subject's windows after an acquisition; all times come from the store's clock. */
export interface Usage {
  /** The current day, YYYY-MM-DD (UTC). */
  readonly day: string;
  readonly dayUsed: number;
  /** First day of the current month, YYYY-MM-01 (UTC). */
  readonly month: string;
  readonly monthUsed: number;
  readonly burstLeft: number;
  /** Milliseconds until the burst admits another request; 0 for now. */
  readonly burstWaitMs: number;
  /** The store's clock, in milliseconds since 1970. */
  readonly clockMs: number;
  /** True when a local budget admitted the request because the store was down (resilient-store.ts). */
  readonly local?: true;
}

export interface AcquireResult {
  readonly acquired: boolean;
  readonly usage: Usage;
}

/** The store failed: its SERVER is down, or only the state of this SUBJECT could not be read. */
export class QuotaStoreError extends Problem {
  readonly about: 'SERVER' | 'SUBJECT';

  constructor(about: 'SERVER' | 'SUBJECT', cause: unknown) {
    super('upstream_unavailable', 'The request quota could not be checked. Try again shortly.');
    this.about = about;
    this.cause = cause;
  }
}

/** Units that were admitted without the store, to be counted afterwards. */
export interface Debt {
  /** A UUID; posting the same id again counts once. */
  readonly id: string;
  readonly subject: Subject;
  readonly day: string;
  readonly month: string;
  readonly units: number;
}

/** A lower bound of what a subject has used, in units. */
export type CounterLevel = Pick<Usage, 'day' | 'dayUsed' | 'month' | 'monthUsed'> & { readonly subject: Subject };

export interface QuotaStore {
  /**
   * Checks and counts burst, day and month in one atomic step: a rejected request costs nothing.
   * N concurrent requests with L units left admit exactly min(N, L) over any number of routers, in order of arrival.
   * @throws QuotaStoreError when the outcome is unknown: the request may have been counted and is never repeated.
   */
  acquire(subject: Subject, limits: Limits, charge: Charge, cost: number): Promise<AcquireResult>;
  /**
   * Refunds at most `units` of the day (and its month) of an earlier acquisition, at most `cap` units per day in total.
   * A cap of null releases units that were not used: without a limit, and not counted as refunds.
   * Resolves to the refunded units and never rejects: a failure is logged and resolves to 0.
   */
  refund(subject: Subject, at: Pick<Usage, 'day' | 'month' | 'local'>, units: number, cap: number | null): Promise<number>;
  /**
   * Counts units that were admitted without the store: never rejected, no burst. Also used to probe whether a server is up.
   * @returns the debts that could not be posted although the server is up.
   * @throws Problem upstream_unavailable.
   */
  postDebts(debts: readonly Debt[]): Promise<readonly Debt[]>;
  /** Raises lagging counters. Returns how many were raised. Throws Problem upstream_unavailable. */
  raise(counted: readonly CounterLevel[]): Promise<number>;
  /** The server of a subject: servers fail independently. */
  serverOf(subject: Subject): string;
  /** The last known store clock, in milliseconds since 1970. */
  clockMs(): number;
  /** Waits for requests in flight. */
  close(): Promise<void>;
}
