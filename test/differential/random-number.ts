/** Deterministic pseudorandom numbers: the same seed and words always give the same number. */

/** A number from 0 to 2^32 - 1, hashed from the words (FNV-1a with the finalizer of MurmurHash3). */
export function randomNumber(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    const text = `${word}|`;
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** True with a probability of 1 / `often`. */
export const oneIn = (often: number, ...words: readonly (string | number)[]): boolean => randomNumber(...words) % often === 0;
