/** Identical public reads that run at the same time share one execution. */
import type { Execution } from '../executor/executor.ts';

/** One execution in progress, and the callers that wait for it. */
interface Shared {
  readonly execution: Promise<Execution>;
  readonly controller: AbortController;
  callers: number;
}

export interface SharedRead {
  /** The prepared operation: one object per text, name and audience. */
  readonly operation: object;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Reads of different states are never shared: of the sport of the host, and of the writes before it. */
  readonly state: string;
  /** Aborted when this caller disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Starts the execution. Its signal is aborted when all callers have disconnected. */
  readonly execute: (signal: AbortSignal) => Promise<Execution>;
}

/**
 * Returns the execution of an identical read in progress, or starts one. Only for reads whose response depends on nothing but the
 * operation, its variables and the state: those of anonymous callers. Callers must not modify the response.
 */
export function createSharedExecutions(): (read: SharedRead) => Promise<Execution> {
  const inProgress = new WeakMap<object, Map<string, Shared>>();

  function start(byVariables: Map<string, Shared>, key: string, execute: SharedRead['execute']): Shared {
    const controller = new AbortController();
    const shared: Shared = { controller, callers: 0, execution: execute(controller.signal) };
    byVariables.set(key, shared);
    const remove = (): void => {
      if (byVariables.get(key) === shared) byVariables.delete(key);
    };
    shared.execution.then(remove, remove);
    return shared;
  }

  return ({ operation, variables, state, signal, execute }) => {
    let byVariables = inProgress.get(operation);
    if (byVariables === undefined) {
      byVariables = new Map();
      inProgress.set(operation, byVariables);
    }
    const key = `${state} ${JSON.stringify(variables)}`;
    const shared = byVariables.get(key) ?? start(byVariables, key, execute);
    shared.callers += 1;
    signal?.addEventListener(
      'abort',
      () => {
        shared.callers -= 1;
        if (shared.callers > 0) return;
        // a later caller must not join an execution that ends without a result
        if (byVariables.get(key) === shared) byVariables.delete(key);
        shared.controller.abort();
      },
      { once: true },
    );
    return shared.execution;
  };
}
