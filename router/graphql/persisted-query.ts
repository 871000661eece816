/** Automatic persisted queries: rejects malformed ones before Apollo Server, which has no error code for them. */
import { createHash } from 'node:crypto';
import { isRecord } from '../../schema/records.ts';
import { Problem } from '../../schema/errors.ts';

const sha256 = /^[0-9a-f]{64}$/;

/** The members of an object; null for other values. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> | null => (isRecord(value) ? value : null);

/** `extensions.persistedQuery` of a body, or of a GET request, where it is JSON text. */
function persistedOf(source: unknown): unknown {
  const extensions = membersOf(source)?.['extensions'];
  if (typeof extensions !== 'string') return membersOf(extensions)?.['persistedQuery'];
  try {
    return membersOf(JSON.parse(extensions))?.['persistedQuery'];
  } catch {
    // reported by Apollo Server
    return undefined;
  }
}

/** The hash of an automatic persisted query that is well-formed; null without one. */
export function persistedHashOf(...sources: readonly unknown[]): string | null {
  for (const source of sources) {
    const hash = membersOf(persistedOf(source))?.['sha256Hash'];
    if (typeof hash === 'string') return hash;
  }
  return null;
}

/** Throws parameter_invalid unless each `persistedQuery` has version 1 and a lower-case hex SHA-256 that matches `text`, if present. */
export function rejectMalformedPersistedQuery(text: string | null, ...sources: readonly unknown[]): void {
  for (const source of sources) {
    const persisted = persistedOf(source);
    if (persisted === undefined || persisted === null) continue;
    const { version, sha256Hash } = membersOf(persisted) ?? {};
    if (version !== 1 || typeof sha256Hash !== 'string' || !sha256.test(sha256Hash)) {
      throw malformed(
        '`extensions.persistedQuery` must be {"version": 1, "sha256Hash": "<SHA-256 of the query in lower-case hex>"}.',
      );
    }
    if (text !== null && createHash('sha256').update(text).digest('hex') !== sha256Hash)
      throw malformed('`extensions.persistedQuery.sha256Hash` does not match the SHA-256 of the query.');
  }
}

const malformed = (detail: string): Problem =>
  new Problem('parameter_invalid', detail, { errors: [{ parameter: 'extensions', code: 'invalid', detail }] });
