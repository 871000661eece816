/**
 * A seeded source of randomness for demo data: the same seed gives the same data on every machine.
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand), 128 bits of state, seeded from the SHA-256 of the seed; never use it for secrets.
 */
import { createHash } from 'node:crypto';

export interface Random {
  /** A number in [0, 1), with 32 bits of resolution. */
  readonly fraction: () => number;
  /** A whole number from `min` to `max`, both included. Throws RangeError when `max < min`. */
  integer(min: number, max: number): number;
  /** True with the given probability (0..1). */
  chance(probability: number): boolean;
  /** One of the items, all alike. Throws RangeError when there are none. */
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items in random order; all of them when there are fewer. */
  sample<Item>(items: readonly Item[], count: number): Item[];
  /** One of the items, each as likely as its weight says. Throws RangeError when the weights do not add up to more than zero. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item;
  /** A normally distributed number (Box-Muller), kept within `min`..`max` when they are given. */
  normal(mean: number, deviation: number, min?: number, max?: number): number;
  /** A version 4 shaped UUID (RFC 9562). */
  readonly uuid: () => string;
  /** A day `YYYY-MM-DD` from `first` to `last`, both included. Throws RangeError when a day is not valid or they are reversed. */
  dateBetween(first: string, last: string): string;
  /** An independent source for a part of the data, so that a change in one part leaves the others as they were; draws nothing itself. */
  fork(label: string): Random;
}

const dayMs = 86_400_000;

/** Opens the source of a seed; equal seeds give equal sequences. */
export function openRandom(seed: string): Random {
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

  // Warm-up: until then neighbouring states give similar numbers.
  for (let round = 0; round < 15; round += 1) next();

  const fraction = () => next() / 2 ** 32;

  function integer(min: number, max: number): number {
    if (!(max >= min)) throw new RangeError(`No whole number lies between ${min} and ${max}`);
    return min + Math.floor(fraction() * (max - min + 1));
  }

  function sample<Item>(items: readonly Item[], count: number): Item[] {
    const rest = [...items];
    const taken: Item[] = [];
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(integer(0, rest.length - 1), 1));
    return taken;
  }

  function weighted<Item>(items: readonly (readonly [Item, number])[]): Item {
    const positive = items.filter(([, weight]) => weight > 0);
    let left = fraction() * positive.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of positive) {
      left -= weight;
      if (left < 0) return item;
    }
    // Rounding may leave a trace of `left` after the last item.
    const last = positive.at(-1);
    if (!last) throw new RangeError('None of the items has a weight above zero');
    return last[0];
  }

  function normal(mean: number, deviation: number, min = -Infinity, max = Infinity): number {
    // 1 - fraction() is never zero, whose logarithm is no number.
    const value = mean + deviation * Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
    return Math.min(max, Math.max(min, value));
  }

  function uuid(): string {
    const bytes = Buffer.alloc(16);
    for (let offset = 0; offset < 16; offset += 4) bytes.writeUInt32BE(next(), offset);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[integer(0, items.length - 1)] as (typeof items)[number], // integer() refuses an empty list
    sample,
    weighted,
    normal,
    uuid,
    dateBetween: (first, last) =>
      new Date(integer(Date.parse(first) / dayMs, Date.parse(last) / dayMs) * dayMs).toISOString().slice(0, 10),
    fork: (label) => openRandom(JSON.stringify([seed, label])),
  };
}
