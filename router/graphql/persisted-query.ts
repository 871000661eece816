/** Persisted operations as Apollo clients send them: what is malformed is told before Apollo, which has no code for it. */
import { createHash } from 'node:crypto';
import { Problem } from '../../schema/errors.ts';

const sha256 = /^[0-9a-f]{64}$/;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;

/** `extensions.persistedQuery` of a body, or of a GET, where it is JSON text. */
function persistedOf(source: unknown): unknown {
  const extensions = membersOf(source)?.['extensions'];
  if (typeof extensions !== 'string') return membersOf(extensions)?.['persistedQuery'];
  try {
    return membersOf(JSON.parse(extensions))?.['persistedQuery'];
  } catch {
    // Told by Apollo.
    return undefined;
  }
}

/** Throws parameter_invalid unless each `persistedQuery` names version 1 and a SHA-256 in lower-case hex: that of `text`, if there is one. */
export function rejectMalformedPersistedQuery(text: string | null, ...sources: readonly unknown[]): void {
  for (const source of sources) {
    const persisted = persistedOf(source);
    if (persisted === undefined || persisted === null) continue;
    const { version, sha256Hash } = membersOf(persisted) ?? {};
    if (version !== 1 || typeof sha256Hash !== 'string' || !sha256.test(sha256Hash)) {
      throw refused(
        '`extensions.persistedQuery` must be {"version": 1, "sha256Hash": the SHA-256 of the text in lower-case hex}.',
      );
    }
    if (text !== null && createHash('sha256').update(text).digest('hex') !== sha256Hash)
      throw refused('`extensions.persistedQuery.sha256Hash` is not the SHA-256 of the text that was sent.');
  }
}

const refused = (detail: string): Problem =>
  new Problem('parameter_invalid', detail, { errors: [{ parameter: 'extensions', code: 'invalid', detail }] });
