/** The door of the REST bridge: admission in front, then a registered operation by its id. */
import type { Logger } from 'pino';
import type { EntryPoint, OperationResponse, OperationRequest, GraphError } from '../schema/entry-point.ts';
import { Problem } from '../schema/errors.ts';
import type { Admission, AdmissionRequest } from './admission/admit.ts';
import { chargeOf } from './charges.ts';
import type { RouterGraph } from './graph.ts';

const errorOf = (problem: Problem): GraphError => ({ message: problem.message, extensions: problem.extensions });

/** What a document is called in the API: there may be several of one operation, told apart behind a dot. */
function operationId(document: string): string {
  const dot = document.indexOf('.');
  return dot === -1 ? document : document.slice(0, dot);
}

/** Never throws: what went wrong is in `errors`, with the code that decides the status. */
export function createRestDoor({
  graph,
  admission,
  log,
}: {
  readonly graph: Pick<RouterGraph, 'execute' | 'requirement' | 'rootField' | 'area' | 'cost'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly log: Logger;
}): EntryPoint {
  /** A refusal of the bridge is one request, as one of the operation counts, of somebody who may do what was asked. */
  function admissionRequest({ operation: id, variables, refused, admitted }: OperationRequest): AdmissionRequest {
    if (id === null) return {};
    const requires = graph.requirement(id);
    if (refused === true) return { ...chargeOf(graph.rootField(id), 1), requires };
    const cost = graph.cost({ id }, variables);
    return { ...(admitted === true ? { charge: 'MORE', cost: cost - 1 } : chargeOf(graph.rootField(id), cost)), requires };
  }

  function problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    log.error({ err: error, requestId }, 'the REST door failed');
    return new Problem('internal', 'Internal error.');
  }

  async function run(request: OperationRequest): Promise<OperationResponse> {
    const { operation, variables, refused, caller } = request;
    const outcome = await admission.admit(caller, admissionRequest(request));
    const area = operation === null ? null : graph.area({ id: operation });
    const settle: OperationResponse['settle'] = ({ status, durationMs }) =>
      outcome.settle({ status, durationMs, area, operation: operation === null ? null : operationId(operation) });
    const { keyed } = outcome;
    if (outcome.kind === 'REFUSED') {
      return { data: null, errors: [errorOf(outcome.problem)], headers: outcome.headers, keyed, notes: {}, settle };
    }
    const { viewer, writes, headers } = outcome;
    if (operation === null || refused === true) return { data: null, errors: [], headers, keyed, notes: {}, settle };
    try {
      const execution = await graph.execute({ id: operation }, { variables, viewer, writes, requestId: caller.requestId });
      return { ...execution, headers, keyed, settle };
    } catch (error) {
      return { data: null, errors: [errorOf(problemOf(error, caller.requestId))], headers, keyed, notes: {}, settle };
    }
  }

  return {
    async execute(request) {
      try {
        return await run(request);
      } catch (error) {
        const fault = errorOf(problemOf(error, request.caller.requestId));
        return { data: null, errors: [fault], headers: {}, keyed: false, notes: {}, settle: () => undefined };
      }
    },
  };
}
