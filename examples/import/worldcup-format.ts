/** The format of a World Cup: how many teams leave the groups, and the ranking rules of the year. */
import type { Fixture } from './football-file.ts';
import type { KnockoutMatch } from './knockout.ts';

export interface AdvancementRule {
  readonly by: 'PLACE' | 'NEXT_PLACED';
  readonly count: number;
}

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/**
 * The sides of knock-out matches that come from the groups. Without a complete first round (not in the file yet, or with play-offs of
 * the groups) it is the least power of two that has place for two teams of each group.
 */
function placesOf(groupCount: number, knockouts: readonly KnockoutMatch[]): number {
  const fromGroups = knockouts.flatMap(({ fixture, origins }) =>
    fixture.teams.filter((team, side) => origins[side] === null && !/^[WL]\d+$/.test(team)),
  ).length;
  return fromGroups > 0 && isPowerOfTwo(fromGroups) ? fromGroups : 2 ** Math.ceil(Math.log2(2 * groupCount));
}

/** The first of each group, and the best of those placed next: two and eight for the twelve groups of 2026. Empty for two group stages. */
export function advancementOf(
  groups: ReadonlyMap<string, readonly Fixture[]>,
  knockouts: readonly KnockoutMatch[],
): readonly AdvancementRule[] {
  const sizes = [...groups.values()].map((fixtures) => new Set(fixtures.flatMap(({ teams }) => teams)).size);
  if (sizes.length === 0) return [];
  const places = placesOf(sizes.length, knockouts);
  const each = Math.floor(places / sizes.length);
  const next = places - each * sizes.length;
  const isPossible = each > 0 && Math.min(...sizes) >= each + (next > 0 ? 1 : 0);
  return isPossible ? [{ by: 'PLACE', count: each }, ...(next > 0 ? [{ by: 'NEXT_PLACED', count: next } as const] : [])] : [];
}

/** FIFA's rules: direct matches first since 2026, goal difference first before; two points for a win until 1990. */
export const rankingRulesOf = (year: number): object => ({
  ruleSet: year >= 2026 ? 'FOOTBALL_UEFA' : 'FOOTBALL',
  ...(year <= 1990 && { points: { win: 2, draw: 1, loss: 0 } }),
});
