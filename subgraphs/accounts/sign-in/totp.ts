/** Time-based one-time passwords (RFC 6238): HMAC-SHA-1, six digits, steps of 30 seconds, as authenticator apps expect. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** Accepted difference of the clocks, in steps. */
const drift = 1;

/** The code of a counter (RFC 4226, section 5.3). */
export function codeOf(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** length).padStart(length, '0');
}

export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / stepSeconds);

/**
 * The time step of a code: the current one or a neighbor, and later than `lastStep`, so that a code is accepted once (section 5.2).
 * Null for a wrong or used code.
 */
export function matchingStep(secret: Buffer, code: string, now: number, lastStep: number): number | null {
  const current = stepAt(now);
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = current - drift; step <= current + drift; step += 1) {
    const expected = Buffer.from(codeOf(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected) && step > lastStep) found ??= step;
  }
  return found;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648, section 6). */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('');
}

/** The key URI for a QR code. */
export function keyUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}
