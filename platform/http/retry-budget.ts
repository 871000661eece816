/** Limits the retries to a peer to a share of its calls, so that an outage does not double the load. */

export interface RetryBudget {
  /** Records a first attempt. */
  deposit(): void;
  /** Whether a retry is within the budget, which it then uses. */
  withdraw(): boolean;
}

/** One retry per five calls. */
const share = 0.2;
/** A restart resets all connections at once. */
const defaultRetriesMax = 10;

/**
 * A bucket of retries, filled by calls (the retry budget of Finagle and Envoy).
 * @param retriesMax the retries that are allowed before any call, and the most that can be saved
 */
export function createRetryBudget(retriesMax = defaultRetriesMax): RetryBudget {
  let retries = retriesMax;
  return {
    deposit() {
      retries = Math.min(retriesMax, retries + share);
    },
    withdraw() {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
  };
}
