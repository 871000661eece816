/** A process with the admission of a router: called in a loop, and in front of one of two otherwise equal routes. */
import Fastify from 'fastify';
import { callerOf } from '../../platform/http/caller.ts';
import { createLog } from '../../platform/log.ts';
import { openRedis, type RedisConnection } from '../../platform/redis/redis.ts';
import { roleUrl, routerRole } from '../../platform/database/roles.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import { areas, type Area } from '../../schema/areas.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { openRouter, type Router } from '../../wiring/router.ts';
import { answerCalls } from '../calls.ts';

export interface AdmissionSettings {
  readonly ownerUrl: string;
  readonly secret: string;
  /** Redis URL; absent for counters in PostgreSQL. */
  readonly redisUrls: readonly string[];
}

export interface Loop {
  readonly key: string;
  readonly clients: number;
  readonly seconds: number;
}

export interface LoopResult {
  readonly requests: number;
  /** CPU time of the process, all threads. */
  readonly cpuMicroseconds: number;
  readonly seconds: number;
}

let router: Router | null = null;
let redis: RedisConnection | undefined;
const app = Fastify();

const response = { data: [] };

const opened = (): Router => {
  if (router === null) throw new Error('The router is not open.');
  return router;
};

const cpuMicroseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

app.get('/without', async (_, reply) => reply.send(response));
app.get('/with', async (request, reply) => {
  const outcome = await opened().admission.admit(callerOf(request));
  if (outcome.kind === 'REJECTED') throw outcome.problem;
  outcome.settle({ status: 200 });
  return reply.headers(outcome.headers).send(response);
});

answerCalls({
  async open({ ownerUrl, secret, redisUrls }: AdmissionSettings): Promise<string> {
    const secrets = openSecrets(secret);
    const away: SubgraphClient = { query: () => Promise.reject(new Error('no area takes part')) };
    const subgraphs = Object.fromEntries(areas.map((area) => [area, away])) as Record<Area, SubgraphClient>;
    const log = createLog({ name: 'admission', level: 'warn' });
    const databaseUrl = roleUrl(ownerUrl, routerRole, secrets);
    redis = redisUrls.length === 0 ? undefined : await openRedis({ urls: redisUrls, name: 'bench', log });
    router = openRouter({ subgraphs, databaseUrl, listenUrl: databaseUrl, redis, secrets, log });
    return app.listen({ host: '127.0.0.1', port: 0 });
  },
  async loop({ key, clients, seconds }: Loop): Promise<LoopResult> {
    const { admission } = opened();
    const caller = { credentials: [key], address: '127.0.0.1', host: 'localhost', requestId: 'bench', traceparent: null };
    let requests = 0;
    const [startedAt, spent] = [performance.now(), cpuMicroseconds()];
    const endsAt = startedAt + seconds * 1000;
    const client = async (): Promise<void> => {
      while (performance.now() < endsAt) {
        const outcome = await admission.admit(caller);
        if (outcome.kind === 'REJECTED') throw outcome.problem;
        outcome.settle({ status: 200 });
        requests += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return { requests, cpuMicroseconds: cpuMicroseconds() - spent, seconds: (performance.now() - startedAt) / 1000 };
  },
  spent: cpuMicroseconds,
  async stop(): Promise<void> {
    await app.close();
    await router?.close();
    await redis?.close();
    process.exit();
  },
});
