/** Passwords of administrators: scrypt with its parameters beside it, and the rules of NIST SP 800-63B. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem, type Violation } from '../../../schema/errors.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's password storage cheat sheet: N = 2^15, r = 8, p = 3, which takes 32 MiB. */
const cost = { logN: 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const saltBytes = 16;

/** Each takes memory and a thread of the few that Node has: more at once would only make all of them slower. */
const atOnceMax = 2;
const waitingMax = 40;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work when a place is free. Throws Problem overloaded (503) when too many wait. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnceMax) {
    if (waiting.length >= waitingMax) throw new Problem('overloaded', 'Too many sign in at once. Try again shortly.');
    // who ends hands over the place
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The same characters however they were typed (SP 800-63B section 3.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC');

const compute = (password: string, salt: Buffer, { logN, r, p }: typeof cost | Stored): Promise<Buffer> =>
  inTurn(() => derive(normal(password), salt, hashBytes, { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }));

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** A password as it is kept: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await compute(password, salt, cost);
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(hash)}`;
}

interface Stored {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function parse(stored: string): Stored | null {
  const [, logN, r, p, salt, hash] = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return null;
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  return { logN: Number(logN), r: Number(r), p: Number(p), salt: bytes(salt), hash: bytes(hash) };
}

const nobodys = { ...cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };

/** Whether it is the password of a stored hash; takes as long where there is none, so that nobody learns who has one. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parse(stored);
  const expected = known ?? nobodys;
  // no password is longer, and hashing megabytes is work as well
  const isTooLong = Array.from(normal(password)).length > passwordLength.max;
  const given = await compute(isTooLong ? '' : password, expected.salt, expected);
  return timingSafeEqual(given, expected.hash) && known !== null && !isTooLong;
}

/** Characters of a password. */
export const passwordLength = { min: 12, max: 200 } as const;

/** Faults of a new password: its length, or that it says no more than who it belongs to. No rules of composition (SP 800-63B 3.1.1.2). */
export function passwordViolations(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): Violation[] {
  const { min, max } = passwordLength;
  const text = normal(password);
  const length = Array.from(text).length;
  const violation = (code: string, detail: string): Violation => ({ pointer: '/password', code, detail });
  if (length < min) return [violation('too_short', `A password has ${min} characters or more.`)];
  if (length > max) return [violation('too_long', `A password has at most ${max} characters.`)];
  const plain = text.trim().toLowerCase();
  const told = [email, email.split('@', 1)[0] ?? '', name].map((each) => normal(each).trim().toLowerCase());
  if (told.includes(plain)) return [violation('too_easy', 'The password is the name or the address of who it belongs to.')];
  if (new Set(plain).size < 3) return [violation('too_easy', 'The password repeats one or two characters.')];
  return [];
}
