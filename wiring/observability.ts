/** Opens what a process reports about itself: traces, and the metrics of roles without an internal port. */
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { createMetricsServer } from '../platform/http/metrics-route.ts';
import { listen } from '../platform/http/service.ts';
import type { Closeable } from '../platform/stop-gracefully.ts';
import { openTracing } from '../platform/telemetry/open-tracing.ts';
import type { Source } from './environment.ts';
import { observabilityVariables, tracingSettings } from './observability-environment.ts';

/** The other roles serve /metrics on their internal port. */
const publicRoles = new Set(['all', 'rest']);

/** Call it before the process of the role is opened. Returns the resources to close last. */
export async function openObservability(role: string, source: Source, log: Logger): Promise<Closeable[]> {
  const closeables: Closeable[] = [];
  const tracing = tracingSettings(source, role);
  if (tracing !== null) closeables.push(await openTracing(tracing, log));
  const { METRICS_PORT: port, METRICS_HOST: host } = readEnvironment(source, observabilityVariables);
  if (port === null || !publicRoles.has(role)) return closeables;
  const app = createMetricsServer(log);
  await listen(app, { host, port });
  return [...closeables, { name: 'metrics', close: () => app.close() }];
}
