/** Rules of registered documents: what the router would reject is not registered, and an account has a bounded number of them. */
import { isErrorCode, Problem } from '../../../schema/errors.ts';
import type { DocumentCheck } from '../../clients/document-checks.ts';

/** What an account has registered. */
export interface RegisteredTotal {
  readonly documents: number;
  /** Bytes of all texts. */
  readonly bytes: number;
}

/** Far above what the applications of one account use. */
const maximum: RegisteredTotal = { documents: 1_000, bytes: 4 * 1024 * 1024 };

/** The operation name of a valid document; null for an anonymous operation. Throws the Problem that the router found. */
export function validNameOf(check: DocumentCheck | undefined): string | null {
  if (check === undefined) throw new Error('The router did not check every document.');
  if (check.error === null) return check.operationName;
  const { code, detail, violations } = check.error;
  const errors = violations.map((violation) => ({ pointer: '/text', code: 'invalid_document', detail: violation }));
  throw new Problem(isErrorCode(code) ? code : 'validation_failed', detail, errors.length === 0 ? {} : { errors });
}

/** Throws Problem conflict (409) for an account that would have too many documents. */
export function requireWithinBounds({ documents, bytes }: RegisteredTotal): void {
  const advice = 'Delete documents that no client sends any more.';
  if (documents > maximum.documents)
    throw new Problem('conflict', `An account can have ${maximum.documents} registered documents. ${advice}`);
  if (bytes > maximum.bytes)
    throw new Problem('conflict', `The registered documents of an account can have ${maximum.bytes} bytes together. ${advice}`);
}
