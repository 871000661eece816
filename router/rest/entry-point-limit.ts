/** Sheds load of a router whose REST bridges are other processes: a request waits for its turn, or is rejected before its admission. */
import { overloadedProblem } from '../../platform/http/request-limit.ts';
import { createKnownCallers } from '../../platform/known-callers.ts';
import type { LoadGate } from '../../platform/load-gate.ts';
import type { EntryPoint, OperationResponse } from '../../schema/entry-point.ts';
import { errorOf } from './entry-point.ts';

const rejected = (): OperationResponse => ({
  data: null,
  errors: [errorOf(overloadedProblem())],
  headers: {},
  authenticated: false,
  notes: {},
  settle: () => undefined,
});

/** A key that was accepted identifies its caller; otherwise the address does. A rejected request is not charged. */
export function limitEntryPoint(entryPoint: EntryPoint, gate: LoadGate | undefined): EntryPoint {
  if (gate === undefined) return entryPoint;
  const knownCallerOf = createKnownCallers();
  return {
    execute(request) {
      const { credentials, address } = request.caller;
      const { caller, accept } = knownCallerOf(credentials[0] ?? null, address);
      const { input } = request;
      let waitsForInput = false;
      const own =
        typeof input !== 'function'
          ? request
          : {
              ...request,
              async input() {
                waitsForInput = true;
                return await input().finally(() => (waitsForInput = false));
              },
            };
      const { promise, resolve } = Promise.withResolvers<OperationResponse>();
      const leave = gate.enter({
        caller,
        start: () => resolve(entryPoint.execute(own)),
        reject: () => resolve(rejected()),
        // the client is still sending the body
        isIdle: () => waitsForInput,
      });
      return promise
        .then((response) => {
          if (response.authenticated) accept();
          return response;
        })
        .finally(leave);
    },
  };
}
