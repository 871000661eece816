/** One planner thread that is asked one operation at a time, and replaced when an operation takes too long. */
import { Worker } from 'node:worker_threads';
import type { QueryPlan } from '@apollo/query-planner';
import { Problem } from '../../schema/errors.ts';
import type { PlanRequest } from './worker.ts';

export interface PlannerThread {
  /** Rejects with query_too_complex when the budget is spent, and with an Error when the planner fails. */
  plan(document: string, operationName: string | null): Promise<QueryPlan>;
  /** Starts the thread, which reads the supergraph meanwhile; without it the first operation waits for that. */
  warm(): void;
  close(): Promise<void>;
}

interface Job extends PlanRequest {
  resolve(plan: QueryPlan): void;
  reject(error: Error): void;
}

type Answer = { readonly ready: true } | { readonly id: number; readonly plan?: QueryPlan; readonly fault?: string };

/** `budgetMs` counts from the moment the thread takes the operation up, not from the moment it was queued. */
export function openPlannerThread(supergraphSdl: string, budgetMs: number): PlannerThread {
  const queue: Job[] = [];
  let running: { readonly job: Job; readonly timer: NodeJS.Timeout } | null = null;
  let idle = false;
  let closed = false;
  let nextId = 0;
  let alive = false;
  let worker: Worker | null = null;

  function start(): Worker {
    idle = false;
    alive = true;
    const made = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: supergraphSdl,
      env: { NODE_ENV: 'production' },
    });
    made.on('message', (answer: Answer) => {
      if (made === worker) received(answer);
    });
    made.on('error', (error: Error) => {
      if (made === worker) failed(error);
    });
    // A waiting planner is no reason for a process to stay alive.
    made.unref();
    return made;
  }

  function started(): Worker {
    if (worker === null || !alive) worker = start();
    return worker;
  }

  function received(answer: Answer): void {
    if ('id' in answer && running?.job.id === answer.id) {
      const { job } = finish(running);
      if (answer.plan !== undefined) job.resolve(answer.plan);
      else job.reject(new Error(`The planner failed: ${answer.fault ?? 'no plan'}`));
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
    // The next operation starts another one: a supergraph that cannot be built must not be tried in a loop.
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
    finish(running).job.reject(new Problem('query_too_complex', `The operation could not be planned within ${budgetMs} ms.`));
    void worker?.terminate();
    worker = start();
    if (queue.length > 0) worker.ref();
  }

  return {
    plan: (document, operationName) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Problem('upstream_unavailable', 'The router is stopping.'));
          return;
        }
        const taken = started();
        queue.push({ id: nextId++, document, operationName, resolve, reject });
        taken.ref();
        next();
      }),
    warm: () => void started(),
    close: async () => {
      closed = true;
      const unfinished = [...queue.splice(0), ...(running === null ? [] : [finish(running).job])];
      for (const job of unfinished) job.reject(new Problem('upstream_unavailable', 'The router is stopping.'));
      await worker?.terminate();
    },
  };
}
