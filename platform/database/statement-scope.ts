/** Binds the statements of a request to its signal: when the request ends, PostgreSQL cancels those that still run. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The statements of one request. */
export interface StatementScope {
  readonly signal: AbortSignal;
  /** Functions that cancel the running statements. */
  readonly running: Set<() => void>;
}

const scopes = new AsyncLocalStorage<StatementScope | undefined>();

/** The scope of the current request; undefined outside of one. */
export const statementScope = (): StatementScope | undefined => scopes.getStore();

/**
 * Runs `work`. Once the signal is aborted, its running statements are canceled and it can start no others; their transactions are rolled back.
 * A commit that was sent is not canceled.
 */
export function bindStatements<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  // not the surrounding scope: a call that waited for a place runs in the context of the request that freed it
  if (signal === undefined) return scopes.run(undefined, work);
  const scope: StatementScope = { signal, running: new Set() };
  const cancelAll = (): void => {
    for (const cancel of scope.running) cancel();
  };
  signal.addEventListener('abort', cancelAll, { once: true });
  return scopes.run(scope, work).finally(() => signal.removeEventListener('abort', cancelAll));
}
