/** API keys: `sp_live_<12 base62>.<43 base62 random><6 base62 CRC32>`, `sp_test_…` in test mode; generates, parses and hashes them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The beginning of the public ID, by mode. */
export const keyPrefixes = { LIVE: 'sp_live_', TEST: 'sp_test_' } as const;
const checksumLength = 6;
const shape = /^(sp_(?:live|test)_[0-9A-Za-z]{12})\.([0-9A-Za-z]{43}[0-9A-Za-z]{6})$/;

/** LIVE: the key works on the data of the platform. TEST: it works on the test data of its account. */
export type DataMode = keyof typeof keyPrefixes;

/** The mode of a key, by its public ID. */
export const keyModeOf = (publicId: string): DataMode => (publicId.startsWith(keyPrefixes.TEST) ? 'TEST' : 'LIVE');

export interface ParsedApiKey {
  /** The part before the dot: indexed, logged and displayed. */
  readonly publicId: string;
  /** The part after the dot, including the checksum: never stored, never logged. */
  readonly secret: string;
}

/** Unbiased random letters: bytes above the largest multiple of 62 are discarded. 43 letters contain 256 bits. */
function randomLetters(length: number): string {
  const evenly = 256 - (256 % alphabet.length);
  let letters = '';
  while (letters.length < length) {
    for (const byte of randomBytes(length - letters.length)) {
      if (byte < evenly) letters += alphabet.charAt(byte % alphabet.length);
    }
  }
  return letters;
}

/** CRC-32 (zlib) of the preceding text in base62, most significant letter first, zero-padded. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let letters = '';
  for (let position = 0; position < checksumLength; position += 1) {
    letters = alphabet.charAt(rest % alphabet.length) + letters;
    rest = Math.floor(rest / alphabet.length);
  }
  return letters;
}

/** Generates a key. `key` is returned to its owner once; the public ID and the hash are stored. */
export function generateApiKey(mode: DataMode = 'LIVE'): ParsedApiKey & { readonly key: string } {
  const publicId = keyPrefixes[mode] + randomLetters(12);
  const start = `${publicId}.${randomLetters(43)}`;
  const key = start + checksumOf(start);
  return { publicId, secret: key.slice(publicId.length + 1), key };
}

/** Whether a text has the form of a public ID. */
export const isPublicId = (text: string): boolean => /^sp_(?:live|test)_[0-9A-Za-z]{12}$/.test(text);

/** Parses a key; null if its form or checksum is wrong. Needs no I/O, so a typo costs nothing. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = shape.exec(text);
  const [, publicId, secret] = match ?? [];
  if (publicId === undefined || secret === undefined) return null;
  // the checksum is not secret, because it follows from the rest of the key: no constant-time comparison is needed
  if (checksumOf(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) return null;
  return { publicId, secret };
}

/** The purpose of the pepper of API key hashes. Each hash is stored with the version of the root secret. */
export const apiKeyPepper = 'api-key-pepper/1';

/** HMAC-SHA-256 of the whole key (32 bytes), so that a hash is bound to its public ID. The secret has 256 bits, so no slow hash is needed. */
export function hashApiKey(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** Compares two hashes in constant time. */
export function sameHash(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
