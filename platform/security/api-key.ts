/** API keys: `sp_live_<12 base62>.<43 base62 random><6 base62 CRC32>`; made here, recognised here, hashed here. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'sp_live_';
const checksumLength = 6;
const shape = /^(sp_live_[0-9A-Za-z]{12})\.([0-9A-Za-z]{43}[0-9A-Za-z]{6})$/;

/** The expression that leak scanners should look for (docs, GitHub secret scanning); a hit is real when `parseApiKey` accepts it. */
export const apiKeyPattern = /\bsp_live_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}\b/;

export interface ParsedApiKey {
  /** The part before the dot: indexed, logged and shown. */
  readonly publicId: string;
  /** The part after the dot, checksum included: never stored, never logged. */
  readonly secret: string;
}

/** Letters drawn without bias: bytes that do not divide evenly are thrown away. 43 of them hold 256 bits. */
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

/** CRC-32 (zlib's) of everything before it, in base62, most significant letter first, padded with zeros. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let letters = '';
  for (let position = 0; position < checksumLength; position += 1) {
    letters = alphabet.charAt(rest % alphabet.length) + letters;
    rest = Math.floor(rest / alphabet.length);
  }
  return letters;
}

/** A new key. `key` is what its holder gets, once; `publicId` and the key's hash are what is stored. */
export function generateApiKey(): ParsedApiKey & { readonly key: string } {
  const publicId = prefix + randomLetters(12);
  const start = `${publicId}.${randomLetters(43)}`;
  const key = start + checksumOf(start);
  return { publicId, secret: key.slice(publicId.length + 1), key };
}

/** Whether a text has the form of the part before the dot. */
export const isPublicId = (text: string): boolean => /^sp_live_[0-9A-Za-z]{12}$/.test(text);

/** The parts of a well-formed key, or null when the shape or the checksum is wrong; no I/O, so a typo costs nothing. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = shape.exec(text);
  const [, publicId, secret] = match ?? [];
  if (publicId === undefined || secret === undefined) return null;
  // Not a secret: whoever knows the rest of the key can compute it, so it needs no constant-time comparison.
  if (checksumOf(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) return null;
  return { publicId, secret };
}

/** HMAC-SHA-256 of the whole key (32 bytes), so that a hash cannot be moved to another public id. The secret has 256 bits: no slow hash is needed. */
export function hashApiKey(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** True when two hashes are equal, in a time that does not tell where they differ. */
export function sameHash(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
