/** The entry point for REST: admission first, then a registered operation by its id. */
import type { Logger } from 'pino';
import type { EntryPoint, OperationResponse, OperationRequest, GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Admission, AdmissionRequest } from '../admission/admission.ts';
import { chargeOf } from './charges.ts';
import type { RouterGraph } from '../graph.ts';

const errorOf = (problem: Problem): GraphError => ({ message: problem.message, extensions: problem.extensions });

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
  readonly graph: Pick<RouterGraph, 'execute' | 'requirement' | 'rootField' | 'area' | 'cost'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly log: Logger;
}): EntryPoint {
  /** A request that the bridge rejects costs one unit, charged as the operation is, and requires the same access. */
  function admissionRequest({ operation: id, variables, admitOnly, alreadyAdmitted }: OperationRequest): AdmissionRequest {
    if (id === null) return {};
    const requires = graph.requirement(id);
    if (admitOnly === true) return { ...chargeOf(graph.rootField(id), 1), requires };
    const cost = graph.cost({ id }, variables);
    return { ...(alreadyAdmitted === true ? { charge: 'MORE', cost: cost - 1 } : chargeOf(graph.rootField(id), cost)), requires };
  }

  function problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    log.error({ err: error, requestId }, 'REST operation failed');
    return new Problem('internal', 'Internal error.');
  }

  async function run(request: OperationRequest): Promise<OperationResponse> {
    const { operation, variables, admitOnly, caller } = request;
    const outcome = await admission.admit(caller, admissionRequest(request));
    const area = operation === null ? null : graph.area({ id: operation });
    const settle: OperationResponse['settle'] = ({ status, durationMs }) =>
      outcome.settle({ status, durationMs, area, operation: operation === null ? null : operationId(operation) });
    const { authenticated } = outcome;
    if (outcome.kind === 'REJECTED') {
      return { data: null, errors: [errorOf(outcome.problem)], headers: outcome.headers, authenticated, notes: {}, settle };
    }
    const { viewer, writes, headers } = outcome;
    if (operation === null || admitOnly === true) return { data: null, errors: [], headers, authenticated, notes: {}, settle };
    try {
      const execution = await graph.execute({ id: operation }, { variables, viewer, writes, requestId: caller.requestId });
      return { ...execution, headers, authenticated, settle };
    } catch (error) {
      return { data: null, errors: [errorOf(problemOf(error, caller.requestId))], headers, authenticated, notes: {}, settle };
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
