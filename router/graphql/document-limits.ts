/** The limits of documents before they are parsed; the public API has one set for requests and subscriptions. */
import type { GraphVersions } from '../reloadable-graph.ts';
import type { OperationLimits } from './admitted-request.ts';
import { createInvalidDocuments, type InvalidDocuments } from './invalid-documents.ts';
import { createNewOperationLimit, preparedRegisteredPerMinute, type NewOperationsPerMinute } from './new-operations.ts';
import { createLimitCheck } from './precheck.ts';

export interface DocumentLimits {
  /** Throws the Problem of a document that is too large. */
  readonly checkLimits: (text: string, hash: string) => void;
  readonly operations: OperationLimits;
  readonly invalidDocuments: InvalidDocuments;
}

/** `newOperationsPerMinute` are the limits of new operations per caller. */
export function createDocumentLimits(
  newOperationsPerMinute: NewOperationsPerMinute | undefined,
  versions: GraphVersions | undefined,
): DocumentLimits {
  const others = createNewOperationLimit(newOperationsPerMinute);
  const registered = createNewOperationLimit({ anonymous: 0, keyed: preparedRegisteredPerMinute });
  const invalidDocuments = createInvalidDocuments(others, newOperationsPerMinute);
  versions?.onReload(() => invalidDocuments.clear());
  return { checkLimits: createLimitCheck(), operations: { registered, others }, invalidDocuments };
}
