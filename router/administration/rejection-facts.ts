/** Facts of a rejected request of a person in its log line: the error code and the label of the network, no email address (ASVS 16.3.1). */
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../schema/errors.ts';
import type { LabelOf } from './network-labels.ts';

/** Adds the facts. Directly to the request: a body is read outside of the scope. */
export function noteRejection({ scope, clientAddress }: FastifyRequest, code: ErrorCode, labelOf: LabelOf): void {
  if (scope !== undefined) Object.assign(scope.facts, { code, network: labelOf(clientAddress) });
}
