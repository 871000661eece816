/** Age bands: adults are compared with athletes of similar age. */
import { ageOn } from './age.ts';

/** The minimum age and the name of each band, oldest first. */
export const ageBands: readonly (readonly [youngest: number, name: string])[] = [
  [28, '28+'],
  [24, '24-27'],
  [21, '21-23'],
  [18, '18-20'],
];

/** The age band on a day; null for minors and unknown ages. */
export function ageBandOf(born: string | null, today: string): string | null {
  return born === null ? null : (ageBands.find(([from]) => ageOn(born, today) >= from)?.[1] ?? null);
}
