/** The connections of a pool as metrics, with the names of https://opentelemetry.io/docs/specs/semconv/db/database-metrics/. */
import type pg from 'pg';
import { observe } from '../telemetry/metrics.ts';

const connections = {
  name: 'db_client_connection_count',
  help: 'Open connections by pool. state: used or idle.',
  labelNames: ['db_client_connection_pool_name', 'db_client_connection_state'],
};
const maximum = {
  name: 'db_client_connection_max',
  help: 'Maximum number of connections by pool.',
  labelNames: ['db_client_connection_pool_name'],
};
const waiting = {
  name: 'db_client_connection_pending_requests',
  help: 'Statements that wait for a connection.',
  labelNames: ['db_client_connection_pool_name'],
};

/** Returns a function that removes the pool; pools with the same name are added up. */
export function observePool(name: string, pool: pg.Pool): () => void {
  const labels = { db_client_connection_pool_name: name };
  const removals = [
    observe(connections, () => [
      [{ ...labels, db_client_connection_state: 'idle' }, pool.idleCount],
      [{ ...labels, db_client_connection_state: 'used' }, pool.totalCount - pool.idleCount],
    ]),
    observe(maximum, () => [[labels, pool.options.max]]),
    observe(waiting, () => [[labels, pool.waitingCount]]),
  ];
  return () => {
    for (const remove of removals) remove();
  };
}
