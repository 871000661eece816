/** Remembers documents that failed to parse or to validate, and limits how many of them a caller may send. */
import type { GraphQLFormattedError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { NewOperationLimit, NewOperationRejection, NewOperationsPerMinute } from './new-operations.ts';
import { defaultNewOperations, rejectNewOperation } from './new-operations.ts';

/** Who sent a document; administrators have no subject and no limit. */
export interface DocumentSender {
  readonly subject: string | null;
  readonly authenticated: boolean;
}

export interface InvalidDocuments {
  /**
   * The errors of a document that is known to be invalid: it is answered without work, and is not counted again. Null for others.
   * @param hash SHA-256 of the text in hex
   */
  errorsOf(hash: string): readonly GraphQLFormattedError[] | null;
  /** Records the errors of a document, which counts as a new operation of its sender. */
  record(sender: DocumentSender, hash: string, size: number, errors: readonly GraphQLFormattedError[]): void;
  /** Records that a document is valid. It is also accepted from a sender with too many invalid documents. */
  recordValid(hash: string): void;
  /** Forgets all documents: the schema has changed. */
  clear(): void;
  /** Called before a document is parsed. Rejects an unknown document of a sender whose invalid documents used up the limit. */
  limit(sender: DocumentSender, hash: string): NewOperationRejection | null;
}

/** Documents, and the characters of their errors. */
const invalidBounds = { max: 10_000, maxSize: 4_000_000 };
const validMax = 10_000;
/** Senders of invalid documents, for a minute from the first one; local to the process. */
const senders = { max: 10_000, ttl: 60_000 };

export function createInvalidDocuments(
  newOperationLimit: NewOperationLimit,
  perMinute: NewOperationsPerMinute = defaultNewOperations,
): InvalidDocuments {
  const invalid = new LRUCache<string, readonly GraphQLFormattedError[]>(invalidBounds);
  const valid = new LRUCache<string, true>({ max: validMax });
  const counts = new LRUCache<string, { documents: number }>(senders);

  return {
    errorsOf: (hash) => invalid.get(hash) ?? null,
    recordValid: (hash) => void valid.set(hash, true),
    record({ subject, authenticated }, hash, size, errors) {
      invalid.set(hash, errors, { size: JSON.stringify(errors).length + 1 });
      if (subject === null) return;
      newOperationLimit(subject, authenticated, { hash: `invalid\n${hash}`, size }, true);
      const count = counts.get(subject);
      if (count === undefined) counts.set(subject, { documents: 1 });
      else count.documents += 1;
    },
    clear() {
      invalid.clear();
      valid.clear();
    },
    limit({ subject, authenticated }, hash) {
      if (subject === null || valid.has(hash)) return null;
      const limit = authenticated ? perMinute.keyed : perMinute.anonymous;
      const documents = counts.get(subject)?.documents ?? 0;
      return documents < limit ? null : rejectNewOperation(limit, authenticated, counts.getRemainingTTL(subject));
    },
  };
}
