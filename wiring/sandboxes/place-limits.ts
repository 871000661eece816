/** Limits of the places for open sandboxes. */

export interface PlaceLimits {
  /** Maximum number of open sandboxes. Each uses up to 17 connections of the database server. */
  readonly openMax: number;
  /** Least time between two openings of a place, because an opening takes about a second of CPU time. */
  readonly reopenMs: number;
  /** A sandbox without requests and pending deliveries closes after this time. */
  readonly idleMs: number;
  /** How long pending deliveries hold a place after the last request, but at most `idleMs` after the account got it. */
  readonly sendMs: number;
}

export const placeLimits: PlaceLimits = { openMax: 6, reopenMs: 30_000, idleMs: 10 * 60_000, sendMs: 60_000 };
