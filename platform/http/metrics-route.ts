/** `/metrics`: the metrics of the process in the format of Prometheus, on internal ports only. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { enableMetrics, metrics } from '../telemetry/metrics.ts';
import { createService } from './service.ts';

/** Adds the route to an internal server, and records metrics from now on. */
export function addMetrics(app: FastifyInstance): void {
  enableMetrics();
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.metrics()),
  );
}

/** A server for the metrics of a process without an internal port. */
export function createMetricsServer(log: Logger): FastifyInstance {
  const app = createService({ log });
  addMetrics(app);
  return app;
}
