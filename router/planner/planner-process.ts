/** The process of the query planner: plans one operation at a time, and measures the CPU time of each. */
import { createNativePlanner } from './native-planner.ts';
import type { Plan } from './plan.ts';

/** The first message. */
export interface PlannerSetup {
  readonly supergraphSdl: string;
  /** CPU time per plan. */
  readonly budgetMs: number;
}

/** One operation; the next one is sent after the answer. */
export interface PlanRequest {
  readonly document: string;
  readonly operationName: string | null;
  readonly conditions: readonly (readonly [string, boolean])[];
}

export type PlannerAnswer =
  | { readonly kind: 'PLAN'; readonly plan: Plan }
  | { readonly kind: 'FAILED'; readonly message: string }
  /** The planning continues: the receiver ends the process. */
  | { readonly kind: 'OVER_BUDGET' };

/** Interval of the budget checks, in milliseconds. */
const checkEveryMs = 25;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const answer = (message: PlannerAnswer): void => void process.send?.(message);

function start({ supergraphSdl, budgetMs }: PlannerSetup): (request: PlanRequest) => Promise<void> {
  const planner = createNativePlanner(supergraphSdl);
  return async ({ document, operationName, conditions }) => {
    const limitMs = cpuMs() + budgetMs;
    const timer = setInterval(() => {
      if (cpuMs() < limitMs) return;
      clearInterval(timer);
      answer({ kind: 'OVER_BUDGET' });
    }, checkEveryMs);
    try {
      answer({ kind: 'PLAN', plan: await planner.plan(document, operationName, new Map(conditions)) });
    } catch (cause) {
      answer({ kind: 'FAILED', message: cause instanceof Error ? cause.message : String(cause) });
    } finally {
      clearInterval(timer);
    }
  };
}

let plan: ReturnType<typeof start> | undefined;

process.on('message', (message: PlannerSetup | PlanRequest) => {
  if ('supergraphSdl' in message) plan = start(message);
  else void plan?.(message);
});
process.on('disconnect', () => process.exit());
// the router ends this process; a terminal sends its signals to both
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
