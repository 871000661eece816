/** Counts the requests of keys by hour, operation and outcome, with a histogram of their durations, until they are flushed. */
import { bucketOf, emptyHistogram } from '../../../schema/durations.ts';
import type { KnownKey } from '../key-check.ts';
import { apiOf, type Api } from './request-api.ts';
import type { KeyedRequest } from './request-log.ts';

/** One row of the rollups by operation. */
export interface OperationRow {
  /** First second of the hour, in seconds since 1970. */
  readonly hour: number;
  readonly key: KnownKey;
  readonly api: Api;
  readonly method: string;
  /** The REST `operationId`, or the client's name of a GraphQL operation; null when unknown. */
  readonly operation: string | null;
  readonly area: string | null;
  /** Status class, 2 to 5. */
  readonly status: number;
  requests: number;
  errors: number;
  /** Requests by bucket of duration. */
  readonly durations: number[];
  /** Requests by error code. */
  readonly codes: Record<string, number>;
}

export interface OperationCounts {
  count(request: KeyedRequest): void;
  /** Returns and removes all rows. */
  drain(): OperationRow[];
  /** Requests since the last call that are in no row, because there were too many. */
  drainLostCount(): number;
}

const hourMs = 3_600_000;

export function createOperationCounts(max: number): OperationCounts {
  let rows = new Map<string, OperationRow>();
  let lost = 0;

  function rowOf({ key, line: { method, path }, request }: KeyedRequest): OperationRow | null {
    const { clockMs, status, area, operation } = request;
    const hour = Math.floor(clockMs / hourMs);
    const outcome = status >= 200 && status < 600 ? Math.floor(status / 100) : 5;
    const api = apiOf(path);
    const place = `${key.keyId} ${hour} ${api} ${method} ${operation} ${area} ${outcome}`;
    const known = rows.get(place);
    if (known !== undefined) return known;
    if (rows.size >= max) return null;
    const counts = { requests: 0, errors: 0, durations: emptyHistogram(), codes: {} };
    const row = { hour: hour * 3600, key, api, method, operation, area, status: outcome, ...counts };
    rows.set(place, row);
    return row;
  }

  return {
    count(keyed) {
      const row = rowOf(keyed);
      if (row === null) {
        lost += 1;
        return;
      }
      const { status, durationMs, error } = keyed.request;
      const bucket = bucketOf(durationMs);
      row.requests += 1;
      row.durations[bucket] = (row.durations[bucket] ?? 0) + 1;
      if (!error && status < 400) return;
      row.errors += 1;
      const code = error?.code ?? `http_${status}`;
      row.codes[code] = (row.codes[code] ?? 0) + 1;
    },
    drain() {
      const drained = [...rows.values()];
      rows = new Map();
      return drained;
    },
    drainLostCount() {
      const before = lost;
      lost = 0;
      return before;
    },
  };
}
