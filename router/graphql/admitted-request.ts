/** An admitted request of the GraphQL API, and its context for the executor (gateway.ts). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import type { Area } from '../../schema/areas.ts';
import type { Admitted } from '../admission/admission.ts';
import { rateLimitOf } from '../admission/quota/rate-limit.ts';
import type { Rejection } from '../admission/rejection.ts';
import type { GraphqlContext } from './gateway.ts';
import type { IncrementalResponse } from './incremental-response.ts';
import type { InvalidDocuments } from './invalid-documents.ts';
import type { NewOperationLimit, NewOperationRejection } from './new-operations.ts';
import type { RequestedDocument } from './requested-document.ts';

/** Requests `extensions.cost`, with any value. */
const costHeader = 'x-graphql-cost';

/** An admitted request. Administrators are not charged. */
export type AdmittedRequest = Pick<
  Admitted,
  'viewer' | 'authenticated' | 'writes' | 'quota' | 'registeredDocumentsOnly' | 'charge' | 'settle' | 'headers'
> & {
  readonly subject: string | null;
  area: Area | null;
  operation: string | null;
  /** The document, once it is read; null for an automatic persisted query. */
  document: RequestedDocument | null;
  /** The parts after the response of the executor. */
  later: IncrementalResponse | null;
};

/** Adds the headers of a rejection to the response and throws its Problem; does nothing for null. */
export function throwRejection(reply: FastifyReply, rejection: Rejection | NewOperationRejection | null): void {
  if (rejection === null) return;
  reply.headers(rejection.headers);
  throw rejection.problem;
}

/** The limits of operations that a process has not prepared. */
export interface OperationLimits {
  /** Per account. */
  readonly registered: NewOperationLimit;
  /** Per key lineage or address. */
  readonly others: NewOperationLimit;
}

/** The context of a request. */
export function contextOf(
  admitted: AdmittedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: OperationLimits,
  invalidDocuments: InvalidDocuments,
): GraphqlContext {
  return {
    viewer: admitted.viewer,
    get writes() {
      return admitted.writes;
    },
    requestId: request.id,
    reply,
    signal: clientSignal(reply),
    caller: admitted.subject === null ? null : (admitted.viewer.accountId ?? admitted.subject),
    recordInvalid: (hash, size, errors) => invalidDocuments.record(admitted, hash, size, errors),
    checkNewOperation(key, isNew) {
      if (admitted.document !== null) invalidDocuments.recordValid(admitted.document.hash);
      const { subject, authenticated, document, viewer } = admitted;
      if (subject === null) return;
      const rejection =
        document?.isRegistered === true
          ? limits.registered(viewer.accountId ?? subject, authenticated, key, isNew)
          : limits.others(subject, authenticated, key, isNew);
      throwRejection(reply, rejection);
    },
    deliverInParts: (response) => void (admitted.later = response),
    setOperation(area, operation) {
      admitted.area = area;
      admitted.operation = operation;
      if (operation !== null) noteRequest({ operation });
    },
    rateLimit: (points) => (admitted.quota === null ? null : rateLimitOf(admitted.quota, points)),
    includesCost: request.headers[costHeader] !== undefined,
    async charge(cost) {
      if (cost > 1) throwRejection(reply, await admitted.charge(cost - 1));
    },
  };
}
