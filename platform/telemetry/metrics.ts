/** The metrics of this process. Names follow the conventions of OpenTelemetry and Prometheus; docs/operations/metrics.md lists them. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of the process. Nothing is recorded before `enableMetrics`. */
export const metrics = new Registry();

let isEnabled = false;

/** Records metrics from now on, with those of Node.js: event loop, garbage collection, memory, handles. A second call has no effect. */
export function enableMetrics(): void {
  if (isEnabled) return;
  isEnabled = true;
  collectDefaultMetrics({ register: metrics });
}

/** Labels with few values, so that the number of series is bounded. */
type Labels = Readonly<Record<string, string>>;

const registers = [metrics];

/** In seconds; fewer buckets than the convention, because each is a series per route. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A histogram of durations. */
function durations<Name extends string>(name: string, help: string, labelNames: readonly Name[]) {
  const histogram = new Histogram({ name, help, labelNames, buckets, registers });
  return (labels: Readonly<Record<Name, string>>, durationMs: number): void => {
    if (isEnabled) histogram.observe(labels, durationMs / 1_000);
  };
}

function counts<Name extends string>(name: string, help: string, labelNames: readonly Name[]) {
  const counter = new Counter({ name, help, labelNames, registers });
  return (labels: Readonly<Record<Name, string>>, count = 1): void => {
    if (isEnabled) counter.inc(labels, count);
  };
}

export const recordRequest = durations('http_server_request_duration_seconds', 'Duration of HTTP requests by route.', [
  'http_request_method',
  'http_route',
  'http_response_status_code',
]);

export const countOverloaded = counts(
  'platform_overloaded_requests_total',
  'HTTP requests that were rejected with 503 `overloaded`, by route.',
  ['http_route'],
);

export const recordOperation = durations(
  'platform_operation_duration_seconds',
  'Duration of operations of the graph. operation: the operationId of REST; graphql, admin, portal and internal for others. outcome: ok, or the code of the error.',
  ['operation', 'outcome'],
);

export const recordFetch = durations(
  'platform_fetch_duration_seconds',
  'Duration of fetches of the router by area. outcome: ok, or the code of the error.',
  ['area', 'outcome'],
);

export const recordCall = durations(
  'platform_call_duration_seconds',
  'Duration of calls of other processes over framed connections. outcome: ok, or the code of the error.',
  ['outcome'],
);

export const recordConnectionWait = durations(
  'db_client_connection_wait_time_seconds',
  'Time that a statement waited for a connection.',
  ['db_client_connection_pool_name'],
);

export const countPlan = counts('platform_plan_cache_requests_total', 'Lookups of query plans. result: hit or miss.', ['result']);

export const countResponse = counts(
  'platform_response_cache_requests_total',
  'Reads that may be answered from the cache of responses. result: hit or miss.',
  ['result'],
);

export const countQuota = counts(
  'platform_quota_decisions_total',
  'Decisions about keys and quotas. decision: admitted, local (admitted without the counters), or the code of the rejection.',
  ['decision'],
);

export const countDelivery = counts(
  'platform_webhook_deliveries_total',
  'Attempts to deliver a webhook. outcome: delivered or failed.',
  ['outcome'],
);

export const countEvents = counts('platform_events_applied_total', 'Events that consumers applied.', ['consumer', 'source']);

/** A gauge whose values are read when the metrics are requested. */
export interface Observed {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** How values with the same labels are combined. Default: their sum. */
  readonly combine?: (a: number, b: number) => number;
}

type Read = () => Iterable<readonly [Labels, number]> | Promise<Iterable<readonly [Labels, number]>>;

const observed = new Map<string, Set<Read>>();

/** Adds values to a gauge. Returns a function that removes them; call it when the described resource is closed. */
export function observe({ name, help, labelNames, combine = (a, b) => a + b }: Observed, read: Read): () => void {
  let reads = observed.get(name);
  if (reads === undefined) {
    const own = (reads = new Set<Read>());
    observed.set(name, own);
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      async collect() {
        this.reset();
        const values = new Map<string, readonly [Labels, number]>();
        for (const each of own)
          for (const [labels, value] of await each()) {
            const key = JSON.stringify(labels);
            const known = values.get(key)?.[1];
            values.set(key, [labels, known === undefined ? value : combine(known, value)]);
          }
        for (const [labels, value] of values.values()) this.set(labels, value);
      },
    });
  }
  reads.add(read);
  return () => void reads.delete(read);
}
