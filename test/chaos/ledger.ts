/** The exact account of what the platform acknowledged: created and changed organizations, admitted requests, received events. */

/** An organization that a writer creates and then changes. */
export interface Written {
  readonly number: number;
  /** Of the acknowledged creation. */
  id: string;
  /** Of the last acknowledged write. */
  version: number;
  name: string;
}

/** Requests by kind: how many succeeded, and how many failed with each reason. */
export interface Counts {
  succeeded: number;
  readonly failed: Map<string, number>;
}

export interface Ledger {
  /** Acknowledged organizations by number. */
  readonly written: Map<number, Written>;
  /** Successful requests of the key with the small quota. */
  granted: number;
  /** Ids and sequences of the events that the stream delivered, in the order of their arrival. */
  readonly streamed: { readonly id: string; readonly sequence: number }[];
  readonly counts: Map<string, Counts>;
  /** Notes the outcome of a request; `reason` is null for success. */
  note(kind: string, reason: string | null): void;
  /** Total and failed requests so far. */
  totals(): { readonly requests: number; readonly failed: number };
}

export function createLedger(): Ledger {
  const counts = new Map<string, Counts>();
  let [requests, failed] = [0, 0];
  return {
    written: new Map(),
    granted: 0,
    streamed: [],
    counts,
    note(kind, reason) {
      const entry = counts.get(kind) ?? { succeeded: 0, failed: new Map<string, number>() };
      counts.set(kind, entry);
      requests += 1;
      if (reason === null) entry.succeeded += 1;
      else {
        failed += 1;
        entry.failed.set(reason, (entry.failed.get(reason) ?? 0) + 1);
      }
    },
    totals: () => ({ requests, failed }),
  };
}
