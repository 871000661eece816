/** The planner's thread: planning can take long, and must not hold up requests that need no planning. */
import { parentPort, workerData } from 'node:worker_threads';
import { createPlanFunction } from './plan.ts';

/** What the router asks; answered in order. */
export interface PlanRequest {
  readonly id: number;
  readonly document: string;
  readonly operationName: string | null;
}

const plan = createPlanFunction(workerData as string);

parentPort?.on('message', ({ id, document, operationName }: PlanRequest) => {
  try {
    parentPort?.postMessage({ id, plan: plan(document, operationName) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
parentPort?.postMessage({ ready: true });
