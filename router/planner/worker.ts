/** The planner thread: planning is CPU-bound and must not block other requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { createPlanFunction } from './plan.ts';

/** One planning request; requests are answered in order. */
export interface PlanRequest {
  readonly id: number;
  readonly document: string;
  readonly operationName: string | null;
}

// thread.ts passes the SDL text
const plan = createPlanFunction(String(workerData));

parentPort?.on('message', ({ id, document, operationName }: PlanRequest) => {
  try {
    parentPort?.postMessage({ id, plan: plan(document, operationName) });
  } catch (cause) {
    parentPort?.postMessage({ id, error: cause instanceof Error ? cause.message : String(cause) });
  }
});
parentPort?.postMessage({ ready: true });
