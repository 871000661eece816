/** A planner thread that handles one operation at a time, and is replaced when an operation exceeds its time limit. */
import { Worker } from 'node:worker_threads';
import type { QueryPlan } from '@apollo/query-planner';
import { Problem } from '../../schema/errors.ts';
import type { PlanRequest } from './worker.ts';

export interface PlannerThread {
  /** Rejects with query_too_complex when the time limit is exceeded, and with an Error when the planner fails. */
  plan(document: string, operationName: string | null): Promise<QueryPlan>;
  /** Starts the thread after a delay, if no operation has started it before. The thread loads the supergraph, which the first operation waits for. */
  warm(): void;
  close(): Promise<void>;
}

interface Job extends PlanRequest {
  resolve(plan: QueryPlan): void;
  reject(error: Error): void;
}

type PlannerMessage = { readonly ready: true } | { readonly id: number; readonly plan?: QueryPlan; readonly error?: string };

/** A process that has just started spends its CPU time on the first requests: loading the supergraph takes a second. */
const warmUpDelayMs = 10_000;

/** `budgetMs` counts from the start of planning, not from the time in the queue. */
export function openPlannerThread(supergraphSdl: string, budgetMs: number): PlannerThread {
  const queue: Job[] = [];
  let running: { readonly job: Job; readonly timer: NodeJS.Timeout } | null = null;
  let idle = false;
  let closed = false;
  let nextId = 0;
  let alive = false;
  let worker: Worker | null = null;
  let warmUp: NodeJS.Timeout | undefined;

  function start(): Worker {
    idle = false;
    alive = true;
    const made = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: supergraphSdl,
      env: { NODE_ENV: 'production' },
    });
    made.on('message', (message: PlannerMessage) => {
      if (made === worker) received(message);
    });
    made.on('error', (error: Error) => {
      if (made === worker) failed(error);
    });
    // An idle planner must not keep the process alive.
    made.unref();
    return made;
  }

  function ensureStarted(): Worker {
    if (worker === null || !alive) worker = start();
    return worker;
  }

  function received(message: PlannerMessage): void {
    if ('id' in message && running?.job.id === message.id) {
      const { job } = finish(running);
      if (message.plan !== undefined) job.resolve(message.plan);
      else job.reject(new Error(`Query planning failed: ${message.error ?? 'no plan'}`));
    }
    idle = true;
    next();
  }

  function finish(done: { readonly job: Job; readonly timer: NodeJS.Timeout }): { readonly job: Job } {
    clearTimeout(done.timer);
    running = null;
    return done;
  }

  function failed(error: Error): void {
    const lost = [...(running === null ? [] : [finish(running).job]), ...queue.splice(0)];
    for (const job of lost) job.reject(error);
    // The next operation starts a new thread: a supergraph that cannot be built must not be retried in a loop.
    alive = false;
  }

  function next(): void {
    const job = idle ? queue.shift() : undefined;
    if (job === undefined) {
      if (idle) worker?.unref();
      return;
    }
    idle = false;
    worker?.ref();
    running = { job, timer: setTimeout(overBudget, budgetMs) };
    worker?.postMessage({ id: job.id, document: job.document, operationName: job.operationName } satisfies PlanRequest);
  }

  function overBudget(): void {
    if (running === null) return;
    finish(running).job.reject(
      new Problem('query_too_complex', `Planning the operation took longer than ${budgetMs} ms. Simplify the operation.`),
    );
    void worker?.terminate();
    worker = start();
    if (queue.length > 0) worker.ref();
  }

  return {
    plan: (document, operationName) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Problem('upstream_unavailable', 'The router is shutting down. Retry the request.'));
          return;
        }
        const current = ensureStarted();
        queue.push({ id: nextId++, document, operationName, resolve, reject });
        current.ref();
        next();
      }),
    warm() {
      warmUp = setTimeout(ensureStarted, warmUpDelayMs).unref();
    },
    close: async () => {
      closed = true;
      clearTimeout(warmUp);
      const unfinished = [...queue.splice(0), ...(running === null ? [] : [finish(running).job])];
      for (const job of unfinished)
        job.reject(new Problem('upstream_unavailable', 'The router is shutting down. Retry the request.'));
      await worker?.terminate();
    },
  };
}
