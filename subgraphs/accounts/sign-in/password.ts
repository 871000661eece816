/** Stored form of passwords: scrypt hashes with their parameters. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../../../schema/errors.ts';
import { normalizePassword, passwordLength } from './password-rules.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's password storage cheat sheet: N = 2^15, r = 8, p = 3, which takes 32 MiB. */
const cost = { logN: 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const saltBytes = 16;

/** A computation occupies memory and one of Node's few threads: more at once would only slow down all of them. */
const concurrentMax = 2;
const waitingMax = 40;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work when a slot is free. Throws Problem overloaded (503) if too many computations wait. */
async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= concurrentMax) {
    if (waiting.length >= waitingMax) throw new Problem('overloaded', 'Too many concurrent sign-ins. Try again shortly.');
    // a computation that ends passes its slot to the next one
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

const compute = (password: string, salt: Buffer, { logN, r, p }: typeof cost | Stored): Promise<Buffer> =>
  withSlot(() => derive(normalizePassword(password), salt, hashBytes, { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }));

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** The stored form of a password: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
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

const dummyHash = { ...cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };

/** Checks a password. Without a stored hash it takes the same time, so that the response time does not reveal which addresses exist. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parse(stored);
  const expected = known ?? dummyHash;
  // no valid password is longer, and hashing megabytes is expensive
  const isTooLong = Array.from(normalizePassword(password)).length > passwordLength.max;
  const given = await compute(isTooLong ? '' : password, expected.salt, expected);
  return timingSafeEqual(given, expected.hash) && known !== null && !isTooLong;
}
