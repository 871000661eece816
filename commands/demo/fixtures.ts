/** Fixture lists by the circle method: every side plays once a matchday, and meets every other side over the season. */

export interface Fixture<Side> {
  /** From 1. */
  readonly matchday: number;
  readonly home: Side;
  readonly away: Side;
}

/**
 * The fixtures of a single or double round robin, matchday by matchday. The first side is fixed, the others rotate by one place a matchday;
 * home and away alternate, and are swapped in the second half. With an odd number one side rests each matchday.
 */
export function roundRobin<Side>(sides: readonly Side[], rounds: 1 | 2 = 2): Fixture<Side>[] {
  const circle: (Side | null)[] = sides.length % 2 === 0 ? [...sides] : [...sides, null];
  const days = circle.length - 1;
  const first = Array.from({ length: days }, (_, day) => {
    const [fixed = null, ...others] = circle;
    const turned = [fixed, ...others.slice(day), ...others.slice(0, day)];
    return Array.from({ length: circle.length / 2 }, (__, pair): Fixture<Side>[] => {
      const [one = null, other = null] = [turned[pair], turned[circle.length - 1 - pair]];
      if (one === null || other === null) return [];
      const turn = pair === 0 ? day % 2 === 1 : pair % 2 === 1;
      return [{ matchday: day + 1, home: turn ? other : one, away: turn ? one : other }];
    }).flat();
  }).flat();
  if (rounds === 1) return first;
  const second = first.map(({ matchday, home, away }) => ({ matchday: matchday + days, home: away, away: home }));
  return [...first, ...second];
}
