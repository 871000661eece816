/** Counts the requests of keys by hour, operation and outcome, with a histogram of their durations, until they are flushed. */
import { areas, type Area } from '../../../schema/areas.ts';
import { bucketOf, emptyHistogram } from '../../../schema/durations.ts';
import type { KnownKey } from '../key-check.ts';
import { apiOf, apis, type Api } from './request-api.ts';
import { keyOf, type KeyedRequest } from './request-log.ts';

/** One row of the rollups by operation. */
export interface OperationRow {
  /** First second of the hour, in seconds since 1970. */
  readonly hour: number;
  readonly key: KnownKey;
  readonly api: Api;
  readonly method: string;
  /** The REST `operationId`, or the client's name of a GraphQL operation; null when unknown. */
  readonly operation: string | null;
  readonly area: Area | null;
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

/** Numbers of values in the position of a row. */
const apiNumbers = new Map<Api, number>(apis.map((api, number) => [api, number]));
const areaNumbers = new Map<Area | null, number>([null, ...areas].map((area, number) => [area, number]));
/** Others are counted under the first name. */
const methodNumbers = new Map(
  ['OTHER', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method, number) => [method, number]),
);

/** By operation, then by hour, method, API, area and status class, packed into one number: no string is allocated per request. */
type RowsOfKey = Map<string | null, Map<number, OperationRow>>;

const outcomeOf = (status: number): number => (status >= 200 && status < 600 ? Math.floor(status / 100) : 5);

export function createOperationCounts(max: number): OperationCounts {
  let keys = new Map<string, RowsOfKey>();
  let size = 0;
  let lost = 0;

  function rowsOf(keyId: string, operation: string | null): Map<number, OperationRow> {
    let ofKey = keys.get(keyId);
    if (ofKey === undefined) {
      ofKey = new Map<string | null, Map<number, OperationRow>>();
      keys.set(keyId, ofKey);
    }
    let rows = ofKey.get(operation);
    if (rows === undefined) {
      rows = new Map<number, OperationRow>();
      ofKey.set(operation, rows);
    }
    return rows;
  }

  function create(request: KeyedRequest, rows: Map<number, OperationRow>, position: number): OperationRow | null {
    if (size >= max) return null;
    const { clockMs, status, area, operation, line } = request;
    const row: OperationRow = {
      hour: Math.floor(clockMs / hourMs) * 3600,
      key: keyOf(request),
      api: apiOf(line.path),
      method: line.method,
      operation,
      area,
      status: outcomeOf(status),
      requests: 0,
      errors: 0,
      durations: emptyHistogram(),
      codes: {},
    };
    rows.set(position, row);
    size += 1;
    return row;
  }

  function rowOf(request: KeyedRequest): OperationRow | null {
    const { clockMs, status, area, operation, line, rejectedKey, requester } = request;
    const rows = rowsOf(rejectedKey?.keyId ?? requester?.viewer.keyId ?? '', operation);
    const hour = Math.floor(clockMs / hourMs);
    const api = apiNumbers.get(apiOf(line.path)) ?? 0;
    const kind = ((methodNumbers.get(line.method) ?? 0) * 4 + api) * 16 + (areaNumbers.get(area) ?? 0);
    const position = (hour * 512 + kind) * 8 + outcomeOf(status);
    return rows.get(position) ?? create(request, rows, position);
  }

  return {
    count(request) {
      const row = rowOf(request);
      if (row === null) {
        lost += 1;
        return;
      }
      const { status, durationMs, error } = request;
      const bucket = bucketOf(durationMs);
      row.requests += 1;
      row.durations[bucket] = (row.durations[bucket] ?? 0) + 1;
      if (!error && status < 400) return;
      row.errors += 1;
      const code = error?.code ?? `http_${status}`;
      row.codes[code] = (row.codes[code] ?? 0) + 1;
    },
    drain() {
      const drained = [...keys.values()].flatMap((ofKey) => [...ofKey.values()].flatMap((rows) => [...rows.values()]));
      keys = new Map();
      size = 0;
      return drained;
    },
    drainLostCount() {
      const before = lost;
      lost = 0;
      return before;
    },
  };
}
