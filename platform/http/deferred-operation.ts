/** An operation whose input is read after admission, while a Fastify request goes through its lifecycle. */
import type { FastifyReply } from 'fastify';
import { clientSignal } from './client-signal.ts';
import type { Caller, EntryPoint, OperationInput, OperationResponse } from '../../schema/entry-point.ts';

export interface DeferredOperation {
  /** The response of the router: a rejection of admission, or the result for the provided input. */
  readonly response: Promise<OperationResponse>;
  /** The rejection of admission; null once the caller is admitted and the input is awaited. */
  readonly rejection: Promise<OperationResponse | null>;
  /** Provides the input; null executes nothing. Only the first call has an effect. */
  provide(input: OperationInput | null): void;
}

/**
 * Starts an operation with deferred input.
 * @param reply when its connection closes before an input is provided, nothing is executed; later, the execution is canceled
 * @param onAdmitted called once the caller is admitted
 */
export function startDeferred(
  entryPoint: EntryPoint,
  call: { readonly caller: Caller; readonly operation: string },
  reply: FastifyReply,
  onAdmitted: () => void = () => undefined,
): DeferredOperation {
  const input = Promise.withResolvers<OperationInput | null>();
  const admitted = Promise.withResolvers<null>();
  const response = entryPoint.execute({
    ...call,
    signal: clientSignal(reply),
    input() {
      onAdmitted();
      admitted.resolve(null);
      return input.promise;
    },
  });
  reply.raw.once('close', () => input.resolve(null));
  return { response, rejection: Promise.race([response, admitted.promise]), provide: input.resolve };
}
