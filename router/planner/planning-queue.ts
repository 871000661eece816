/**
 * Sends operations to the process of the planner, one at a time. A separate process, because the native planner ends its process when it
 * panics, and because it must be possible to end a plan that takes too long (docs/decisions/0037).
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Problem } from '../../schema/errors.ts';
import type { Conditions } from '../operations/conditions.ts';
import type { Plan } from './plan.ts';
import type { PlannerAnswer, PlannerSetup, PlanRequest } from './planner-process.ts';

export interface PlanningQueue {
  /**
   * Rejects with query_too_complex above the budget, with upstream_timeout without an answer within `answerMs`, with PlannerCrash when the planner
   * panics, and with an Error when it fails.
   */
  plan(document: string, operationName: string | null, conditions: Conditions): Promise<Plan>;
  /** Ends the process; running and waiting operations are rejected. */
  close(): Promise<void>;
}

/** The process of the planner ended while it planned the operation. */
export class PlannerCrash extends Error {
  constructor(cause: string) {
    super(`The query planner ended unexpectedly (${cause}).`);
  }
}

/** The error of an operation whose plan takes too long, for example because many others wait. */
export const slowPlanning = (): Problem =>
  new Problem('upstream_timeout', 'The operation was not planned in time. Retry the request.');

interface Job {
  readonly request: PlanRequest;
  resolve(plan: Plan): void;
  reject(error: Error): void;
}

/**
 * `setup.budgetMs` counts the CPU time of planning, not the time in the queue. A process without an answer within `answerMs` of wall-clock time is
 * replaced. The process starts with the first operation.
 */
export function createPlanningQueue(setup: PlannerSetup, answerMs: number): PlanningQueue {
  const waiting: Job[] = [];
  let running: Job | null = null;
  let child: ChildProcess | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  function startProcess(): ChildProcess {
    // the planner needs no environment: it holds secrets of the router
    const made = fork(new URL('./planner-process.ts', import.meta.url), { env: {}, execArgv: [] });
    made.on('message', (message: PlannerAnswer) => {
      if (made === child) received(message);
    });
    made.on('error', (error) => ended(made, error.message));
    made.on('exit', (code, signal) => ended(made, String(signal ?? code)));
    made.send(setup);
    return made;
  }

  function next(): void {
    if (running !== null) return;
    const job = waiting.shift();
    // an idle planner does not keep the process alive
    if (job === undefined) {
      child?.unref();
      child?.channel?.unref();
      return;
    }
    running = job;
    child ??= startProcess();
    child.ref();
    child.channel?.ref();
    child.send(job.request);
    timer = setTimeout(giveUp, answerMs);
  }

  /** The process hangs. */
  function giveUp(): void {
    endProcess();
    finish()?.reject(slowPlanning());
    next();
  }

  function finish(): Job | null {
    const job = running;
    running = null;
    clearTimeout(timer);
    return job;
  }

  function received(message: PlannerAnswer): void {
    const job = finish();
    if (message.kind === 'PLAN') job?.resolve(message.plan);
    else if (message.kind === 'FAILED') job?.reject(new Error(`Query planning failed: ${message.message}`));
    else {
      endProcess();
      const limit = `${setup.budgetMs} ms of processor time`;
      job?.reject(new Problem('query_too_complex', `Planning the operation takes more than ${limit}. Simplify the operation.`));
    }
    next();
  }

  function ended(which: ChildProcess, cause: string): void {
    if (which !== child) return;
    child = null;
    finish()?.reject(new PlannerCrash(cause));
    next();
  }

  function endProcess(): void {
    const current = child;
    child = null;
    current?.kill('SIGKILL');
  }

  const closing = (): Problem => new Problem('upstream_unavailable', 'The router is shutting down. Retry the request.');

  return {
    plan: (document, operationName, conditions) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(closing());
          return;
        }
        waiting.push({ request: { document, operationName, conditions: [...conditions] }, resolve, reject });
        next();
      }),
    close() {
      closed = true;
      for (const job of [finish(), ...waiting.splice(0)]) job?.reject(closing());
      endProcess();
      return Promise.resolve();
    },
  };
}
