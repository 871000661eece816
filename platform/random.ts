/**
 * A seeded random number generator for demo data: a seed gives the same data on every machine.
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand) with 128 bits of state, seeded from the SHA-256 of the seed. Never use it for secrets.
 */
import { createHash } from 'node:crypto';

export interface Random {
  /** A number in [0, 1), with 32 bits of resolution. */
  readonly fraction: () => number;
  /** A whole number from `min` to `max`, inclusive. Throws RangeError if `max < min`. */
  integer(min: number, max: number): number;
  /** True with the given probability (0..1). */
  chance(probability: number): boolean;
  /** One of the items with equal probability. Throws RangeError for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  /** `count` distinct items in random order; all items if there are fewer. */
  sample<Item>(items: readonly Item[], count: number): Item[];
  /** One of the items with probability proportional to its weight. Throws RangeError unless the sum of the weights is positive. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item;
  /** A normally distributed number (Box-Muller), limited to `min`..`max` if given. */
  normal(mean: number, deviation: number, min?: number, max?: number): number;
  /** A version 4 shaped UUID (RFC 9562). */
  readonly uuid: () => string;
  /** A date `YYYY-MM-DD` from `first` to `last`, inclusive. Throws RangeError for an invalid date or reversed dates. */
  dateBetween(first: string, last: string): string;
  /** An independent generator for a part of the data, so that changes in one part do not affect the others. Does not advance this generator. */
  fork(label: string): Random;
}

const dayMs = 86_400_000;

/** The sfc32 generator of a seed: a function that returns the next 32 random bits. */
function sfc32(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest();
  let a = digest.readUInt32LE(0) | 0;
  let b = digest.readUInt32LE(4) | 0;
  let c = digest.readUInt32LE(8) | 0;
  let counter = 1;

  function next(): number {
    const output = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + output) | 0;
    return output >>> 0;
  }

  // Warm-up: before this, similar seeds give similar numbers.
  for (let round = 0; round < 15; round += 1) next();
  return next;
}

/** A version 4 shaped UUID of 128 random bits. */
function uuidFrom(next: () => number): string {
  const bytes = Buffer.alloc(16);
  for (let offset = 0; offset < 16; offset += 4) bytes.writeUInt32BE(next(), offset);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Creates the generator of a seed; equal seeds give equal sequences. */
export function openRandom(seed: string): Random {
  const next = sfc32(seed);
  const fraction = () => next() / 2 ** 32;

  function integer(min: number, max: number): number {
    if (!(max >= min)) throw new RangeError(`There is no whole number between ${min} and ${max}`);
    return min + Math.floor(fraction() * (max - min + 1));
  }

  function sample<Item>(items: readonly Item[], count: number): Item[] {
    const rest = [...items];
    const selected: Item[] = [];
    while (selected.length < count && rest.length > 0) selected.push(...rest.splice(integer(0, rest.length - 1), 1));
    return selected;
  }

  function weighted<Item>(items: readonly (readonly [Item, number])[]): Item {
    const positive = items.filter(([, weight]) => weight > 0);
    let left = fraction() * positive.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of positive) {
      left -= weight;
      if (left < 0) return item;
    }
    // rounding can leave a small remainder in `left` after the last item
    const last = positive.at(-1);
    if (!last) throw new RangeError('No item has a positive weight');
    return last[0];
  }

  function normal(mean: number, deviation: number, min = -Infinity, max = Infinity): number {
    // 1 - fraction() is never zero, so its logarithm is defined
    const value = mean + deviation * Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
    return Math.min(max, Math.max(min, value));
  }

  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[integer(0, items.length - 1)] as (typeof items)[number], // Cast: integer() rejects an empty list.
    sample,
    weighted,
    normal,
    uuid: () => uuidFrom(next),
    dateBetween: (first, last) =>
      new Date(integer(Date.parse(first) / dayMs, Date.parse(last) / dayMs) * dayMs).toISOString().slice(0, 10),
    fork: (label) => openRandom(JSON.stringify([seed, label])),
  };
}
