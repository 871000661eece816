/** Opens the router: the graph, admission and the entry points, with areas in process or over HTTP. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openDatabase } from '../platform/database/database.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { documentsOf } from '../rest-bridge/operations/load-operations.ts';
import { createSessions, type Sessions } from '../router/administration/sessions.ts';
import { createAdmission } from '../router/admission/admission.ts';
import { createKeyChanges } from '../router/admission/key-changes.ts';
import { postgresKeyChannel, redisKeyChannel } from '../router/admission/key-change-channels.ts';
import { createPostgresQuota, quotaPool, readPostgresCounters } from '../router/admission/quota/postgres.ts';
import { createRedisQuota } from '../router/admission/quota/redis.ts';
import { createAddressSubjects } from '../router/admission/quota/subject.ts';
import { createGraph, type GraphOptions, type RouterGraph } from '../router/graph.ts';
import { createRestEntryPoint } from '../router/rest/entry-point.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { createUsageCollector } from '../router/admission/usage/collector.ts';
import { createUsageFlush, type UsageFlush } from '../router/admission/usage/flush.ts';
import type { Area } from '../schema/areas.ts';
import type { EntryPoint } from '../schema/entry-point.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import type { Admission } from '../router/admission/admission.ts';
import { restApi } from './rest-api.ts';

export interface RouterOptions {
  readonly subgraphs: Readonly<Record<Area, SubgraphClient>>;
  /** Database URL with the role talent_router. */
  readonly databaseUrl: string;
  /** The same without a pooler, to listen to key changes. */
  readonly listenUrl: string;
  /** Redis for the quota counters and key changes; default: counters in PostgreSQL. The caller closes it. */
  readonly redis?: RedisConnection | undefined;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Default: the router creates one. */
  readonly planner?: GraphOptions['planner'];
  /** Interval of usage flushes; default: a few seconds. Infinity: only on request. */
  readonly usageEveryMs?: number | undefined;
}

export interface Router {
  readonly graph: RouterGraph;
  readonly admission: Admission;
  /** Sessions of administrators. */
  readonly sessions: Sessions;
  /** The entry point of the REST API. */
  readonly entryPoint: EntryPoint;
  /** Writes usage to the rollups. */
  readonly usage: Pick<UsageFlush, 'flush'>;
  /** Throws while the database of keys and counters is unavailable. */
  readonly ready: () => Promise<void>;
  close(): Promise<void>;
}

/** Folder of cached query plans, next to other build caches. */
export const planCacheFolder = join(import.meta.dirname, '../node_modules/.cache/plans');

/** REST operations are planned on first use; `graph.planRegistered` plans all of them. */
export function openRouter({
  subgraphs,
  databaseUrl,
  listenUrl,
  redis,
  secrets,
  log,
  planner,
  usageEveryMs,
}: RouterOptions): Router {
  const database = openDatabase({ url: databaseUrl, name: 'router', poolSize: 4 });
  const counters = openDatabase({ url: databaseUrl, name: 'quota', ...quotaPool });
  const quota = redis
    ? createRedisQuota({ redis, readCounters: (subjects) => readPostgresCounters(counters, subjects), log })
    : createPostgresQuota(counters, log);
  const collector = createUsageCollector();
  const addressSubjects = createAddressSubjects(secrets.derive('address-pepper'), () => quota.clockMs());
  const usage = createUsageFlush({
    database,
    collector,
    addressHash: (address) => addressSubjects(address).subject,
    log,
    everyMs: usageEveryMs,
    onLaggingCounters: (behind) =>
      void quota
        .raise(behind.map(({ dayUnits, monthUnits, ...at }) => ({ ...at, dayUsed: dayUnits, monthUsed: monthUnits })))
        .then((raised) => raised > 0 && log.warn({ raised }, 'quota counters raised'))
        .catch((err: unknown) => log.error({ err }, 'quota counters could not be raised')),
  });
  const keyChanges = [
    createKeyChanges('postgresql', postgresKeyChannel(listenUrl), log),
    ...(redis ? [createKeyChanges('redis', redisKeyChannel(redis), log)] : []),
  ];
  const admission = createAdmission({ database, secrets, log, counters: quota, usage: collector, keyChanges });
  const graph = createGraph({ ...loadSupergraph(), subgraphs, log, planCacheFolder, planner });
  graph.register(documentsOf(restApi().operations));
  return {
    graph,
    admission,
    sessions: createSessions(subgraphs.accounts),
    entryPoint: createRestEntryPoint({ graph, admission, log }),
    usage,
    ready: async () => void (await database.pool.query('/* router.ready */ select from accounts.router_plan limit 1')),
    async close() {
      await graph.close();
      await admission.close();
      await usage.close();
      await Promise.all([database.close(), counters.close()]);
    },
  };
}
