/** The seeded draw: who meets whom, byes, and what holds for a bracket of any size. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BracketMatch } from '../../../../subgraphs/competitions/rankings/bracket-links.ts';
import { seededDraw, seedOrder } from '../../../../subgraphs/competitions/rankings/seeded-draw.ts';
import { read } from './matches.ts';

/** Plays a draw to its end: who wins each match is chosen from the two who meet. */
function play(matches: readonly BracketMatch[], firstWins: (one: string, other: string) => boolean): BracketMatch[] {
  let played = [...matches];
  for (;;) {
    const ties = read(played).rounds.flatMap((round) => round.ties);
    const next = ties.find((tie) => tie.advancedId === null && tie.slots.every(({ participantId }) => participantId !== null));
    if (!next) return played;
    const [one, other] = next.slots.map(({ participantId }) => participantId ?? '');
    const scores = firstWins(one ?? '', other ?? '') ? ([1, 0] as const) : ([0, 1] as const);
    played = played.map((each) => (each.matchId === next.tieId ? { ...each, result: { scores } } : each));
  }
}

const entrants = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);

describe('a seeded draw', () => {
  test('pairs 1 with the last, and 1 with 2 only in the final', () => {
    expect(seedOrder(8)).toEqual([1, 8, 5, 4, 3, 6, 7, 2]);
    const pairs = seededDraw(entrants(16))
      .slice(0, 8)
      .map(({ slots }) => slots.map(({ seed }) => seed ?? 0).toSorted((a, b) => a - b));
    expect(pairs.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => [seed, 17 - seed]));
  });

  test('gives byes to the first seeds, and leaves nobody out', () => {
    const draw = seededDraw(entrants(5));
    expect(
      draw.map(({ matchId, slots }) => [matchId, ...slots.map(({ seed, placeholder }) => seed ?? placeholder?.sourceMatchId)]),
    ).toEqual([
      ['1-2', 5, 4],
      ['2-1', 1, '1-2'],
      ['2-2', 3, 2],
      ['3-1', '2-1', '2-2'],
    ]);
    expect(seededDraw(entrants(1))).toEqual([]);
    expect(seededDraw(entrants(3), { thirdPlace: true })).toHaveLength(2);
    expect(() => seededDraw(['A', 'A'])).toThrow(RangeError);
  });

  test('of any size has one match less than participants, and exactly one champion, who lost no match', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.infiniteStream(fc.boolean()), fc.boolean(), (count, coins, thirdPlace) => {
        const draw = seededDraw(entrants(count), { thirdPlace });
        const bracket = read(play(draw, () => coins.next().value === true));
        const ties = bracket.rounds.flatMap((round) => round.ties);
        expect(ties.filter(({ kind }) => kind === 'MAIN')).toHaveLength(count - 1);
        const lost = new Set(ties.filter(({ kind }) => kind === 'MAIN').map(({ eliminatedId }) => eliminatedId));
        expect(lost.size).toBe(count - 1);
        expect(entrants(count).filter((id) => !lost.has(id))).toEqual([bracket.championId]);
        expect(bracket.thirdPlaceId !== null).toBe(thirdPlace && count > 3);
      }),
      { numRuns: 30 },
    );
  });

  test('lets the better seed of any two meet as late as can be: if the better always wins, the last four are 1 to 4', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 24 }), (count) => {
        const bracket = read(play(seededDraw(entrants(count), { thirdPlace: true }), (one, other) => one < other));
        expect(bracket).toMatchObject({ championId: 'P01', runnerUpId: 'P02', thirdPlaceId: 'P03', fourthPlaceId: 'P04' });
      }),
      { numRuns: 10 },
    );
  });

  test('the order of the matches never matters', () => {
    const draw = play(seededDraw(entrants(11), { thirdPlace: true }), (one, other) => one > other);
    const bracket = read(draw);
    fc.assert(
      fc.property(fc.shuffledSubarray(draw, { minLength: draw.length }), (shuffled) => expect(read(shuffled)).toEqual(bracket)),
      { numRuns: 20 },
    );
  });
});
