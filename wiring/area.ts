/** Opens one area over its database, for a process of its own or as a part of all. */
import type { Logger } from 'pino';
import { createCursorCodec } from '../platform/lists/cursor.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createRelayWakeUp } from '../platform/events/outbox.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { redisChannel } from '../router/admission/key-change-channels.ts';
import { readRedisCounter } from '../router/admission/quota/redis.ts';
import type { Area } from '../schema/areas.ts';
import { allAreas } from '../subgraphs/runtime/all-areas.ts';
import { buildSubgraph, type Subgraph, type SubgraphOptions } from '../subgraphs/runtime/subgraph.ts';

export interface AreaOptions {
  /** Logs in as the area's role. */
  readonly databaseUrl: string;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly graphAs: SubgraphOptions['graphAs'];
  /** Where routers count, and hear what changes. Stays open. */
  readonly redis?: RedisConnection | undefined;
  /** Told of every statement before it runs. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

/** Less than the router waits for an area on the wire, so that what took too long is told by who knows it. */
const statementTimeoutMs = 8_000;

/** Builds the area; closing it closes its connections. */
export function openArea(area: Area, { databaseUrl, secrets, log, graphAs, redis, onStatement }: AreaOptions): Promise<Subgraph> {
  const database = openDatabase({
    url: databaseUrl,
    name: area,
    statementTimeoutMs,
    ...(onStatement ? { onStatement } : {}),
    onDataError: (err, statement) => log.error({ err, statement }, 'a value was refused by the database, and by no check before'),
  });
  const cursors = createCursorCodec(secrets.derive('cursor'));
  return buildSubgraph(allAreas[area], {
    database,
    cursors,
    secrets,
    log,
    wake: createRelayWakeUp(database),
    graphAs,
    ...(redis && {
      announce: (payload) => redis.publish(redisChannel, payload).catch(() => undefined),
      counters: (subject) => readRedisCounter(redis, subject),
    }),
  });
}
