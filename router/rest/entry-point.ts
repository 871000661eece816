/** The entry point for REST: admission first, then a registered operation by its id. */
import type { Logger } from 'pino';
import type { EntryPoint, GraphError, OperationInput, OperationRequest, OperationResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Admission, AdmissionRequest, Admitted } from '../admission/admission.ts';
import type { Rejection } from '../admission/rejection.ts';
import { chargeOf } from './charges.ts';
import type { Execution } from '../executor/executor.ts';
import type { RouterGraph } from '../graph.ts';

/** A problem as an error of a response. */
export const errorOf = (problem: Problem): GraphError => ({ message: problem.message, extensions: problem.extensions });

/** The public operation id of a document: several documents of one operation differ behind a dot (`listAthletes.fields`). */
function operationId(document: string): string {
  const dot = document.indexOf('.');
  return dot === -1 ? document : document.slice(0, dot);
}

/** Never throws: errors are in `errors`, with the code that decides the status. */
export function createRestEntryPoint({
  graph,
  admission,
  log,
}: {
  readonly graph: Pick<RouterGraph, 'execute' | 'requirement' | 'rootField' | 'area' | 'cost' | 'responseCost' | 'isCurrent'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly log: Logger;
}): EntryPoint {
  /** By variables: a kept response is requested with the same object. */
  const costs = new WeakMap<object, number>();

  function costOf({ document, variables }: OperationInput): number {
    const cost = costs.get(variables) ?? graph.cost({ id: document }, variables);
    costs.set(variables, cost);
    return cost;
  }

  /** Units known at admission: those of the input, or one while the input is unknown or absent. */
  function admissionRequest({ operation, isBurstOnly }: OperationRequest, input: OperationInput | null): AdmissionRequest {
    if (operation === null) return isBurstOnly === true ? { charge: 'BURST_ONLY' } : {};
    const cost = input === null ? 1 : costOf(input);
    return { ...chargeOf(graph.rootField(operation), cost), requires: graph.requirement(operation) };
  }

  /** Charges what an input read after admission costs above the one unit of admission. */
  async function chargeRest(admitted: Admitted, input: OperationInput): Promise<Rejection | null> {
    const { cost = 1 } = chargeOf(graph.rootField(input.document), costOf(input));
    return cost > 1 ? admitted.charge(cost - 1) : null;
  }

  /** What a response costs in units; null when it costs its estimate: writes and errors. */
  function responseUnits(id: string, { data, errors, notes }: Execution): number | null {
    if (notes.replayed === true) return 1;
    return errors.length > 0 ? null : graph.responseCost(id, data);
  }

  function problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    log.error({ err: error, requestId }, 'REST operation failed');
    return new Problem('internal', 'Internal error.');
  }

  /** The response of an admitted request, without what all responses have. */
  async function respond(
    outcome: Admitted,
    { document: id, variables }: OperationInput,
    { caller: { requestId }, signal, kept, isConditional }: OperationRequest,
  ): Promise<Partial<OperationResponse>> {
    const { viewer, writes } = outcome;
    // after the last charge
    const headers = () => ({
      headers: outcome.headers,
      ...(isConditional === true && { notModifiedHeaders: outcome.notModifiedHeaders }),
    });
    if (kept !== undefined && graph.isCurrent(kept, viewer)) {
      outcome.keep(kept.units ?? 1);
      return { ...headers(), isUnchanged: true, sources: kept };
    }
    const caller = viewer.accountId ?? outcome.subject;
    const execution = await graph.execute({ id }, { variables, viewer, writes, requestId, signal, caller });
    const isExpensive = outcome.quota !== null && outcome.quota.units > 1;
    const units = isExpensive ? responseUnits(id, execution) : null;
    if (units === null) return { ...execution, ...headers() };
    outcome.keep(units);
    return { ...execution, ...headers(), sources: execution.sources && { ...execution.sources, units } };
  }

  async function run(request: OperationRequest): Promise<OperationResponse> {
    const { operation, input, caller } = request;
    const isDeferred = typeof input === 'function';
    const outcome = await admission.admit(caller, admissionRequest(request, isDeferred ? null : input));
    const area = operation === null ? null : graph.area({ id: operation });
    const settle: OperationResponse['settle'] = (sent) =>
      outcome.settle({ ...sent, area, operation: operation === null ? null : operationId(operation) });
    const { authenticated } = outcome;
    const response = (rest: Partial<OperationResponse>): OperationResponse => ({
      data: null,
      errors: [],
      headers: outcome.headers,
      authenticated,
      notes: {},
      settle,
      ...rest,
    });
    if (outcome.kind === 'REJECTED') return response({ errors: [errorOf(outcome.problem)] });
    try {
      const ready = isDeferred ? await input() : input;
      if (ready === null) return response({});
      const rejection = isDeferred ? await chargeRest(outcome, ready) : null;
      if (rejection !== null)
        return response({ errors: [errorOf(rejection.problem)], headers: { ...outcome.headers, ...rejection.headers } });
      return response(await respond(outcome, ready, request));
    } catch (error) {
      return response({ errors: [errorOf(problemOf(error, caller.requestId))] });
    }
  }

  return {
    async execute(request) {
      try {
        return await run(request);
      } catch (error) {
        const failure = errorOf(problemOf(error, request.caller.requestId));
        return { data: null, errors: [failure], headers: {}, authenticated: false, notes: {}, settle: () => undefined };
      }
    },
  };
}
