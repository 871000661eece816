/** Opens an area with its database connections, for a separate process or as a part of the whole platform. */
import type { Logger } from 'pino';
import { createCursorCodec } from '../platform/lists/cursor.ts';
import { openDatabase, type DatabaseOptions } from '../platform/database/database.ts';
import { logFailures } from '../platform/database/failure-log.ts';
import { statementTimeoutMs } from '../platform/database/roles.ts';
import { createRelayWakeUp } from '../platform/events/outbox.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { redisChannel } from '../router/admission/key-change-channels.ts';
import { readRedisCounter } from '../router/admission/quota/redis.ts';
import type { Area } from '../schema/areas.ts';
import { loadArea } from '../subgraphs/runtime/all-areas.ts';
import { buildSubgraph, type Subgraph, type SubgraphOptions } from '../subgraphs/runtime/subgraph.ts';

export interface AreaOptions {
  /** Database URL with the area's role. */
  readonly databaseUrl: string;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly graphAs: SubgraphOptions['graphAs'];
  readonly images?: SubgraphOptions['images'];
  readonly allowLocalUrls?: SubgraphOptions['allowLocalUrls'];
  readonly billing?: SubgraphOptions['billing'];
  readonly stripe?: SubgraphOptions['stripe'];
  readonly mode?: SubgraphOptions['mode'];
  readonly resetTestData?: SubgraphOptions['resetTestData'];
  /** Connections for reads and writes. Default: 10. */
  readonly poolSize?: number | undefined;
  /** Whether expensive reads share them instead of having four more. Default: false. */
  readonly sharesPool?: boolean | undefined;
  /** Redis for the quota counters and key changes. The caller closes it. */
  readonly redis?: RedisConnection | undefined;
  /** Called with every statement before it runs. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

/** Writes have more time (docs/limits.md): they wait for locks of other writes. */
const deadlines = { statementTimeoutMs, transactionStatementTimeoutMs: 8_000 } as const;

/** Connections for expensive reads; none is open before the first one. */
const expensivePoolSize = 4;

/** Opens the area; closing it closes its database connections. */
export async function openArea(
  area: Area,
  { databaseUrl, secrets, log, redis, onStatement, poolSize, sharesPool = false, ...others }: AreaOptions,
): Promise<Subgraph> {
  const definition = await loadArea(area);
  const options: DatabaseOptions = {
    url: databaseUrl,
    name: area,
    // that of the role, also for the owner of a sandbox
    searchPath: `${area},platform`,
    ...deadlines,
    ...(poolSize !== undefined && { poolSize }),
    ...(onStatement ? { onStatement } : {}),
    onFailure: logFailures(log),
  };
  const database = openDatabase(options);
  const cursors = createCursorCodec(secrets.derive('cursor'), secrets.previous?.derive('cursor'));
  return buildSubgraph(definition, {
    database,
    ...(!sharesPool && { expensiveDatabase: openDatabase({ ...options, poolSize: expensivePoolSize }) }),
    cursors,
    secrets,
    log,
    wake: createRelayWakeUp(database),
    ...others,
    ...(redis && {
      announce: (payload) => redis.publish(redisChannel, payload).catch(() => undefined),
      counters: (subject) => readRedisCounter(redis, subject),
    }),
  });
}
