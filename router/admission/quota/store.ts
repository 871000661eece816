/** What admission asks of a quota store; PostgreSQL is one, others keep the same promises. */

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
 * BURST_ONLY: day and month do not count it. COUNTED_NEVER_REFUSED: day and month count it and never refuse it.
 * MORE: further cost of a request that was admitted; the burst does not see it.
 */
export type Charge = 'COUNTED' | 'BURST_ONLY' | 'COUNTED_NEVER_REFUSED' | 'MORE';

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
}

export interface Taken {
  readonly granted: boolean;
  readonly usage: Usage;
}

export interface QuotaStore {
  /**
   * Checks burst, day and month and counts in them, in one atomic step: a refused take burns nothing.
   * N takes against L left are granted exactly min(N, L) over any number of routers, first come first granted.
   * @throws Problem upstream_unavailable when the outcome is not known: such a take may have been counted and is never repeated.
   */
  take(subject: Subject, limits: Limits, charge: Charge, cost: number): Promise<Taken>;
  /**
   * Gives back at most `units` of the day (and its month) of an earlier take, at most `cap` a day in all.
   * Resolves to what was given back, and never rejects: a failure is logged, and nothing was.
   */
  refund(subject: Subject, at: Pick<Usage, 'day' | 'month'>, units: number, cap: number): Promise<number>;
  /** The store's clock as far as it is known here, in milliseconds since 1970. */
  clockMs(): number;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
