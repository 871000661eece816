/**
 * Client of another process over framed connections: distributes calls over its instances, and sends calls again that were not executed,
 * if possible to another instance.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isErrorCode, Problem } from '../../schema/errors.ts';
import { lessBusy } from '../http/balancer.ts';
import { createInstances, type Origins } from '../http/instances.ts';
import type { ResolveHost } from '../http/public-resolver.ts';
import { createRetryBudget } from '../http/retry-budget.ts';
import type { ClientConnection, FramedCall, Outcome } from './client-connection.ts';
import { createInstanceConnections, type InstanceConnections } from './instance-connections.ts';

export interface FrameClientOptions {
  /** Name in error messages, such as `The area athletes`. */
  readonly name: string;
  /** Origin of the peer, or those of its instances. */
  readonly url: Origins;
  /** The key of the edge. */
  readonly key: Buffer;
  /** Default: the resolver of the system. */
  readonly resolve?: ResolveHost | undefined;
}

export interface Call extends FramedCall {
  /** A mutation is sent again only if it was certainly not executed. */
  readonly mutation: boolean;
  /** The id of the instance that gets the call if it is connected. */
  readonly preferred?: string | undefined;
  /** Called with the id of the instance that responded. */
  readonly onInstance?: (instance: string) => void;
}

export interface FrameClient {
  /**
   * Returns the response; null when the peer does not accept framed connections. Throws Problem upstream_unavailable,
   * upstream_timeout, or the code with which the peer rejected the call.
   */
  call(call: Call): Promise<string | null>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}

interface Chosen {
  readonly instance: InstanceConnections;
  readonly connection: ClientConnection;
}

/** How long a call waits for a connection: a restart within this time is not noticed. A handshake that began within it is awaited. */
const patienceMs = 1_000;
const attemptsMax = 4;
/** A lost connection loses its calls at once. With another instance all of them are sent again: so many retries can be saved. */
const savedRetriesMax = 256;

/** Connects on the first call; `close` ends all connections. */
export function createFrameClient({ name, url, key, resolve }: FrameClientOptions): FrameClient {
  const instances = createInstances({
    url,
    resolve,
    open: (instance) => createInstanceConnections(instance, key, () => instances.expire()),
    close: (instance) => void instance.close(),
  });
  const budget = createRetryBudget();
  const budgetOfSeveral = createRetryBudget(savedRetriesMax);
  let isClosed = false;

  /** The less busy open connection of two random instances. Starts to connect to the others. */
  function choose(preferred?: string): Chosen | null {
    const open: Chosen[] = [];
    for (const instance of instances.list()) {
      const connection = instance.leastBusy();
      if (connection !== null) open.push({ instance, connection });
      else if (!isClosed && !instance.isUnsupported()) void instance.open();
    }
    return (
      open.find(({ instance }) => instance.id === preferred) ?? lessBusy(open, ({ connection }) => connection.pending()) ?? null
    );
  }

  /** Null when the peer does not support framed connections. Throws upstream_unavailable. */
  async function waitForConnection({ deadlineMs, preferred }: Call): Promise<Chosen | null> {
    const untilMs = Math.min(performance.now() + patienceMs, deadlineMs);
    for (;;) {
      if (!isClosed) await instances.ready();
      const found = choose(preferred);
      if (found !== null) return found;
      const supported = instances.list().filter((instance) => !instance.isUnsupported());
      if (!isClosed && supported.length === 0) return null;
      // when this process was busy, the response of the handshake may be here, but not read yet
      const isAttempted = supported.some((instance) => (instance.attemptedMs() ?? untilMs) < untilMs);
      const leftMs = (isAttempted ? deadlineMs : untilMs) - performance.now();
      if (leftMs <= 0 || isClosed) throw new Problem('upstream_unavailable', `${name} is unavailable. Retry the request.`);
      await Promise.race([...supported.map((instance) => instance.open()), sleep(leftMs, undefined, { ref: false })]);
    }
  }

  function problemOf(outcome: Exclude<Outcome, { kind: 'RESPONSE' }>): Problem {
    if (outcome.kind === 'TIMEOUT') return new Problem('upstream_timeout', `${name} did not respond in time.`);
    const code = outcome.kind === 'REJECTED' && isErrorCode(outcome.code) ? outcome.code : 'upstream_unavailable';
    const isOverloaded = code === 'overloaded';
    return new Problem(code, `${name} is ${isOverloaded ? 'overloaded' : 'unavailable'}. Retry the request.`);
  }

  function mayRepeat(outcome: Outcome, { mutation }: Call): boolean {
    if (outcome.kind === 'NOT_EXECUTED') return true;
    return outcome.kind === 'LOST' && !mutation && (instances.list().length > 1 ? budgetOfSeveral : budget).withdraw();
  }

  /**
   * With several instances, one that sent nothing before the deadline of a call gets no further calls: half of all calls would fail until its
   * connection is lost.
   */
  function suspendHanging({ instance, connection }: Chosen, sentMs: number): void {
    if (connection.lastReceivedMs() < sentMs && instances.list().length > 1) instance.suspend();
  }

  return {
    async call(call) {
      budget.deposit();
      budgetOfSeveral.deposit();
      for (let attempt = 1; ; attempt += 1) {
        const chosen = choose(call.preferred) ?? (await waitForConnection(call));
        if (chosen === null) return null;
        const sentMs = performance.now();
        const outcome = await chosen.connection.call(call);
        if (outcome.kind === 'RESPONSE') {
          call.onInstance?.(chosen.instance.id);
          return outcome.body;
        }
        if (outcome.kind === 'TIMEOUT') suspendHanging(chosen, sentMs);
        if (attempt >= attemptsMax || !mayRepeat(outcome, call)) throw problemOf(outcome);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(instances.list().map((instance) => instance.close()));
    },
  };
}
