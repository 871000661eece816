/** `/health` and `/ready` of every process. Both answer from the state of the process, never from a dependency that others share. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cachedFor } from '../cached-result.ts';
import { withinDeadline } from '../deadline.ts';

export interface ProbeOptions {
  /** The dependencies by name; a check throws while its dependency is unavailable. */
  readonly dependencies: Readonly<Record<string, () => Promise<void>>>;
  /** Whether `/health` reports a living process. False: only a person or a restart can help. */
  readonly isHealthy: () => boolean;
  /** Whether the response of `/ready` lists the dependencies; the log always does. */
  readonly exposesNames: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** `/ready` returns 503 from now on, and every response closes its connection. Requests are still answered. */
    startDraining(): void;
  }
}

type DependencyState = 'ready' | 'unavailable' | 'unknown';
type States = Readonly<Record<string, DependencyState>>;

const paths: ReadonlySet<string> = new Set(['/health', '/ready']);
const checkTimeoutMs = 2_000;
/** Anyone can call `/ready`: the dependencies are checked once in this time. */
const checkedEveryMs = 1_000;
/** Interval of the checks without a probe until the first success. */
const startCheckedEveryMs = 2_000;

/** Whether a path without query belongs to a probe. */
export const isProbe = (path: string): boolean => paths.has(path);

/** Whether machines request a path every few seconds: a probe or the metrics. */
export const isPolled = (path: string): boolean => isProbe(path) || path === '/metrics';

/**
 * Adds the routes and `startDraining`. The process is ready from the first check at which all its dependencies respond until it drains. A dependency
 * that fails later is reported and logged, but does not change the status: all processes share it, and without any of them behind the balancer
 * callers would get no problem response (docs/decisions/0104-readiness-and-draining.md).
 */
export function addProbes(app: FastifyInstance, { dependencies, exposesNames, isHealthy }: ProbeOptions): void {
  let hasStarted = false;
  let isDraining = false;
  let states: States = Object.fromEntries(Object.keys(dependencies).map((name) => [name, 'unknown']));

  const check = cachedFor(checkedEveryMs, async () => {
    const checks = Object.entries(dependencies).map(async ([name, isAvailable]) => {
      try {
        await withinDeadline(isAvailable(), checkTimeoutMs);
        return [name, 'ready'] as const;
      } catch (error) {
        app.log.warn({ err: error, dependency: name }, 'dependency unavailable');
        return [name, 'unavailable'] as const;
      }
    });
    states = Object.fromEntries(await Promise.all(checks));
    hasStarted ||= Object.values(states).every((state) => state === 'ready');
  });

  app.decorate('startDraining', () => {
    isDraining = true;
  });
  /** Also without probes, so that an outage after the start does not count as a failed start. */
  async function checkUntilStarted(): Promise<void> {
    await check();
    while (!hasStarted && !isDraining) {
      await sleep(startCheckedEveryMs, undefined, { ref: false });
      await check();
    }
  }
  app.addHook('onListen', (done) => {
    void checkUntilStarted();
    done();
  });
  app.addHook('preClose', (done) => {
    isDraining = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  app.get('/health', (_request, reply) => {
    const healthy = isHealthy();
    return reply
      .code(healthy ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: healthy ? 'alive' : 'failed' });
  });
  app.get('/ready', async (_request, reply) => {
    // after the start a slow dependency must not delay the response
    if (hasStarted) void check();
    else await check();
    const isReady = hasStarted && !isDraining;
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'unavailable', ...(exposesNames && { dependencies: states }) });
  });
}
