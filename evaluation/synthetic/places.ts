/** The countries of the synthetic market with their languages and approximate positions. */
export interface Place {
  readonly country: string;
  readonly language: string;
  /** Position in thousands of kilometers. */
  readonly east: number;
  readonly north: number;
}

export const places = [
  { country: 'DE', language: 'de', east: 0, north: 0 },
  { country: 'NL', language: 'nl', east: -0.4, north: 0.1 },
  { country: 'FR', language: 'fr', east: -0.6, north: -0.4 },
  { country: 'ES', language: 'es', east: -1.2, north: -1.2 },
  { country: 'GB', language: 'en', east: -0.8, north: 0.2 },
  { country: 'US', language: 'en', east: -6, north: -0.5 },
] as const satisfies Place[];

/** Distance in thousands of kilometers. */
export function distanceBetween(one: Place, other: Place): number {
  return Math.hypot(one.east - other.east, one.north - other.north);
}
