/** Finds the origin of the sides of a knock-out match: the file names teams, a bracket refers to earlier matches. */
import type { Fixture, Pair } from './football-file.ts';

/** The match whose winner or loser becomes a side. */
export interface Origin {
  readonly fixture: Fixture;
  readonly outcome: 'WINNER' | 'LOSER';
}

export interface KnockoutMatch {
  readonly fixture: Fixture;
  /** Null for a side that comes from the groups. */
  readonly origins: readonly [Origin | null, Origin | null];
}

/** A side that is not decided yet, as openfootball writes it: `W49`, `L61`, `1A`, `3A/B/C`. */
export const isPlaceholder = (team: string): boolean => /^([WL]\d+|\d[A-Z](\/[A-Z])*)$/.test(team);

const decided = ([one, other]: Pair): 0 | 1 | null => (one > other ? 0 : other > one ? 1 : null);

/** The winner by shoot-out, extra time or 90 minutes; null while undecided. */
export function winnerOf({ score, teams }: Fixture): string | null {
  const side = score && (score.shootout ? decided(score.shootout) : decided(score.extra ?? score.full));
  return side === null ? null : teams[side];
}

/** Knock-out matches in rounds; each match comes after those that its sides come from. */
export function knockoutRounds(fixtures: readonly Fixture[]): KnockoutMatch[][] {
  const inOrder = fixtures.toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  const numbers = new Map(fixtures.flatMap((fixture) => (fixture.number === null ? [] : [[fixture.number, fixture] as const])));
  const depths = new Map<Fixture, number>();
  const rounds: KnockoutMatch[][] = [];

  const originOf = (team: string, index: number): Origin | null => {
    const [, letter, number] = /^([WL])(\d+)$/.exec(team) ?? [];
    const named = numbers.get(Number(number));
    if (named) return { fixture: named, outcome: letter === 'L' ? 'LOSER' : 'WINNER' };
    const before = inOrder.slice(0, index).findLast(({ teams }) => teams.includes(team));
    if (!before) return null;
    return { fixture: before, outcome: winnerOf(before) === team ? 'WINNER' : 'LOSER' };
  };
  for (const [index, fixture] of inOrder.entries()) {
    const origins = [originOf(fixture.teams[0], index), originOf(fixture.teams[1], index)] as const;
    const depth = Math.max(0, ...origins.map((origin) => (origin ? (depths.get(origin.fixture) ?? 0) + 1 : 0)));
    depths.set(fixture, depth);
    (rounds[depth] ??= []).push({ fixture, origins });
  }
  return rounds;
}
