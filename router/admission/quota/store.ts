/** What admission asks of a quota store; PostgreSQL and Redis are two, and keep the same promises. */
import { Problem } from '../../../schema/errors.ts';

/** The limits of a plan. Burst is a bucket of a minute's requests that refills evenly; day and month are UTC calendar windows. */
export interface Limits {
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
}

/** Who is counted, as lower-case hex of 16 to 64 bytes: a key's lineage or a hashed address. */
export type Subject = string;

/**
 * What a take is of. COUNTED: one request, its cost counts in day and month, and it takes one of the burst.
 * BURST_ONLY: day and month do not count it. COUNTED_NEVER_REJECTED: day and month count it and never refuse it.
 * MORE: further cost of a request that was admitted; the burst does not see it.
 */
export type Charge = 'COUNTED' | 'BURST_ONLY' | 'COUNTED_NEVER_REJECTED' | 'MORE';

/** The state of a subject's windows right after a take; every time is the store's, never the router's. */
export interface Usage {
  /** The open day, YYYY-MM-DD (UTC). */
  readonly day: string;
  readonly dayUsed: number;
  /** First day of the open month, YYYY-MM-01 (UTC). */
  readonly month: string;
  readonly monthUsed: number;
  readonly burstLeft: number;
  /** Milliseconds until the burst admits one more; 0 when it does now. */
  readonly burstWaitMs: number;
  /** The store's clock, in milliseconds since 1970. */
  readonly clockMs: number;
  /** True when a local budget granted it, because the store was away (away.ts). */
  readonly local?: true;
}

export interface AcquireResult {
  readonly acquired: boolean;
  readonly usage: Usage;
}

/** The store could not be asked about a subject: its SERVER is away, or what is known of the SUBJECT alone could not be had. */
export class QuotaStoreError extends Problem {
  readonly about: 'SERVER' | 'SUBJECT';

  constructor(about: 'SERVER' | 'SUBJECT', cause: unknown) {
    super('upstream_unavailable', 'The request quota could not be checked. Try again shortly.');
    this.about = about;
    this.cause = cause;
  }
}

/** What was admitted without the store, to be counted afterwards. */
export interface Debt {
  /** A UUID: repeated with the same, it counts once. */
  readonly id: string;
  readonly subject: Subject;
  readonly day: string;
  readonly month: string;
  readonly units: number;
}

/** What a subject has used at least, in units. */
export type CounterLevel = Pick<Usage, 'day' | 'dayUsed' | 'month' | 'monthUsed'> & { readonly subject: Subject };

export interface QuotaStore {
  /**
   * Checks burst, day and month and counts in them, in one atomic step: a refused take burns nothing.
   * N takes against L left are granted exactly min(N, L) over any number of routers, first come first granted.
   * @throws QuotaFault when the outcome is not known: such a take may have been counted and is never repeated.
   */
  acquire(subject: Subject, limits: Limits, charge: Charge, cost: number): Promise<AcquireResult>;
  /**
   * Gives back at most `units` of the day (and its month) of an earlier take, at most `cap` a day in all.
   * Resolves to what was given back, and never rejects: a failure is logged, and nothing was.
   */
  refund(subject: Subject, at: Pick<Usage, 'day' | 'month' | 'local'>, units: number, cap: number): Promise<number>;
  /**
   * Adds units that were admitted without the store: never refused, nothing of the burst. Also how to ask whether a server is there.
   * @returns the debts that could not be posted although the server is there.
   * @throws Problem upstream_unavailable.
   */
  postDebts(debts: readonly Debt[]): Promise<readonly Debt[]>;
  /** Raises counters that are behind. Returns how many were. Throws Problem upstream_unavailable. */
  raise(counted: readonly CounterLevel[]): Promise<number>;
  /** Which server holds a subject: they are away one by one. */
  serverOf(subject: Subject): string;
  /** The store's clock as far as it is known here, in milliseconds since 1970. */
  clockMs(): number;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
