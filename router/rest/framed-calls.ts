/** The REST entry point over framed connections: calls of bridges in other processes (platform/http/entry-point-client.ts). */
import type { ReceivedCall } from '../../platform/frames/server.ts';
import type { FramedCall, OperationReply, SettleCall } from '../../platform/http/entry-point-client.ts';
import { requestScope } from '../../platform/telemetry/request-scope.ts';
import { withRequest } from '../../platform/telemetry/tracing.ts';
import { Problem } from '../../schema/errors.ts';
import type { EntryPoint, OperationInput, OperationResponse } from '../../schema/entry-point.ts';

export interface FramedCallsOptions {
  readonly entryPoint: EntryPoint;
  /** Whether a registered operation is a mutation, whose call must be sent as one. */
  readonly isMutation: (operation: string) => boolean;
  readonly replyOf: (response: OperationResponse) => OperationReply;
  readonly settle: (call: SettleCall) => void;
}

/** The input of a deferred call, from its JSON. */
export function inputOf(text: string): OperationInput | null {
  // Cast: only a bridge of this platform can send it.
  return JSON.parse(text) as OperationInput | null;
}

/** The handler of one connection. Throws upstream_unavailable for a mutation that was sent as a read. */
export function createFramedCalls(options: FramedCallsOptions): (body: string, received: ReceivedCall) => Promise<string> {
  const { entryPoint, isMutation, replyOf, settle } = options;

  async function execute(
    call: Exclude<FramedCall, { kind: 'SETTLE' }>,
    { signal, ask }: ReceivedCall,
  ): Promise<OperationResponse> {
    if (call.kind === 'EXECUTE_DEFERRED') {
      // a bridge that is lost while the client sends the body executes nothing
      const input = (): Promise<OperationInput | null> => ask().then(inputOf, () => null);
      return await entryPoint.execute({ ...call.call, input, signal });
    }
    const { operation } = call.call;
    if (operation !== null && isMutation(operation) && !call.mutation)
      throw new Problem('upstream_unavailable', 'A mutation must be sent as one.');
    return await entryPoint.execute({ ...call.call, caller: call.caller, signal });
  }

  return async (body, received) => {
    // Cast: only a bridge of this platform can send a call, because each record is authenticated.
    const call = JSON.parse(body) as FramedCall;
    if (call.kind === 'SETTLE') {
      settle(call.call);
      return '{}';
    }
    const { requestId, traceparent } = call.kind === 'EXECUTE' ? call.caller : call.call.caller;
    const facts = requestScope()?.facts ?? {};
    Object.assign(facts, { requestId, operation: call.call.operation ?? undefined });
    return withRequest({ name: 'execute', kind: 'SERVER', traceparent }, facts, async () =>
      JSON.stringify(replyOf(await execute(call, received))),
    );
  };
}
