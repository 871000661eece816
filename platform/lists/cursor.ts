/** Cursors: encrypted, because they may contain sort values that are not visible to the reader, and bound to the filters of their list. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { Problem } from '../../schema/errors.ts';

export interface CursorCodec {
  /** Encrypts sort values with the fingerprint of their list (AES-256-GCM, base64url). */
  seal(values: readonly unknown[], fingerprint: string): string;
  /** Decrypts a cursor. Throws Problem cursor_invalid (400) for a forged cursor or a cursor of another list. */
  open(cursor: string, fingerprint: string): unknown[];
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const ivBytes = 12;
const tagBytes = 16;

/** Scalars of a filter in one order and without duplicates: they are alternatives. Absent and null filters are equal. */
function normalized(_: string, value: unknown): unknown {
  if (!isList(value) || value.some((item) => typeof item === 'object')) return value ?? undefined;
  return [...new Set(value)].sort();
}

/** A short text that is equal for lists with the same filters and sort order. */
export function fingerprintOf(list: string, filter: unknown, sort: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([list, { filter, sort }], normalized))
    .digest('base64url')
    .slice(0, 16);
}

function decrypt(key: Buffer, bytes: Buffer, fingerprint: string): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(fingerprint));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    return decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/**
 * @param key 32 bytes, the same in all processes
 * @param previousKey opens cursors from before a rotation
 */
export function createCursorCodec(key: Buffer, previousKey?: Buffer): CursorCodec {
  const invalid = (): Problem =>
    new Problem(
      'cursor_invalid',
      'This cursor does not belong to this list. Use it with the filters and sort order it came from, or start without a cursor.',
    );
  const ivKey = Buffer.from(hkdfSync('sha256', key, '', 'cursor/iv', 32));
  return {
    seal(values, fingerprint) {
      const text = JSON.stringify(values);
      // Derived from the content: an unchanged page has the same cursors, and so the same ETag.
      const iv = createHmac('sha256', ivKey)
        .update(JSON.stringify([fingerprint, text]))
        .digest()
        .subarray(0, ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(fingerprint));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(cursor, fingerprint) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= ivBytes + tagBytes || bytes.length > 2048 || bytes.toString('base64url') !== cursor) throw invalid();
      const text =
        decrypt(key, bytes, fingerprint) ?? (previousKey === undefined ? null : decrypt(previousKey, bytes, fingerprint));
      if (text === null) throw invalid();
      const values: unknown = JSON.parse(text);
      if (!isList(values)) throw invalid();
      return values;
    },
  };
}
