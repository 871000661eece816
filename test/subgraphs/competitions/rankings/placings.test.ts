/** Final places of knock-outs: shared and contested places, repechages, and every size of a draw. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BracketMatch } from '../../../../subgraphs/competitions/rankings/bracket-links.ts';
import { placingsOf } from '../../../../subgraphs/competitions/rankings/bracket-placings.ts';
import { loserOf, match, read, winnerOf } from './matches.ts';

const places = (matches: readonly BracketMatch[]): string[] =>
  placingsOf(read(matches)).map(({ position, shared, participantId }) => `${position}${shared ? '=' : ''} ${participantId}`);

const semiFinals = [match('s1', 'A', 'B', [3, 2]), match('s2', 'C', 'D', [1, 0])];
const final = match('f', winnerOf('s1'), winnerOf('s2'), [0, 1]);

test('both losing semi-finalists are third without a match for third place, as in boxing', () => {
  expect(places([...semiFinals, final])).toEqual(['1 C', '2 A', '3= B', '3= D']);
});

test('a match for third place decides third and fourth, and until then neither has a place', () => {
  const third = (scores: [number, number] | null) => match('t', loserOf('s1'), loserOf('s2'), scores);
  expect(places([...semiFinals, final, third([0, 2])])).toEqual(['1 C', '2 A', '3 D', '4 B']);
  expect(places([...semiFinals, final, third(null)])).toEqual(['1 C', '2 A']);
});

test('a judo draw of eight with repechage: two bronzes, two fifth and two seventh places', () => {
  const quarters = [
    match('q1', 'A', 'B', [1, 0]),
    match('q2', 'C', 'D', [1, 0]),
    match('q3', 'E', 'F', [1, 0]),
    match('q4', 'G', 'H', [1, 0]),
  ];
  const draw = [
    ...quarters,
    match('s1', winnerOf('q1'), winnerOf('q2'), [1, 0]),
    match('s2', winnerOf('q3'), winnerOf('q4'), [1, 0]),
    match('f', winnerOf('s1'), winnerOf('s2'), [1, 0]),
    match('r1', loserOf('q1'), loserOf('q2'), [1, 0]),
    match('r2', loserOf('q3'), loserOf('q4'), [1, 0]),
    match('b1', winnerOf('r1'), loserOf('s2'), [1, 0]),
    match('b2', winnerOf('r2'), loserOf('s1'), [0, 1]),
  ];
  expect(places(draw)).toEqual(['1 A', '2 E', '3= B', '3= C', '5= F', '5= G', '7= D', '7= H']);
});

test('places five to eight are played by the losers of the quarter-finals', () => {
  const draw = [
    match('q1', 'A', 'B', [1, 0]),
    match('q2', 'C', 'D', [1, 0]),
    match('q3', 'E', 'F', [1, 0]),
    match('q4', 'G', 'H', [1, 0]),
    match('s1', winnerOf('q1'), winnerOf('q2'), [1, 0]),
    match('s2', winnerOf('q3'), winnerOf('q4'), [1, 0]),
    match('p1', loserOf('q1'), loserOf('q2'), [1, 0]),
    match('p2', loserOf('q3'), loserOf('q4'), [1, 0]),
    match('f', winnerOf('s1'), winnerOf('s2'), [1, 0]),
    match('t', loserOf('s1'), loserOf('s2'), [1, 0]),
    match('five', winnerOf('p1'), winnerOf('p2'), [1, 0]),
    match('seven', loserOf('p1'), loserOf('p2'), [0, 1]),
  ];
  expect(places(draw)).toEqual(['1 A', '2 E', '3 C', '4 G', '5 B', '6 F', '7 H', '8 D']);
});

test('ties without a common final have no places', () => {
  expect(places(semiFinals)).toEqual([]);
});

test('in every full draw each place is taken once, and those who lost in one round share it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.infiniteStream(fc.boolean()), (rounds, wins) => {
      const next = (): [number, number] => (wins.next().value ? [1, 0] : [0, 1]);
      const matches: BracketMatch[] = [];
      for (let depth = rounds - 1; depth >= 0; depth -= 1)
        for (let index = 0; index < 2 ** depth; index += 1) {
          const slot = (side: number) =>
            depth === rounds - 1 ? `P${index * 2 + side}` : winnerOf(`${depth + 1}-${index * 2 + side}`);
          matches.push(match(`${depth}-${index}`, slot(0), slot(1), next()));
        }
      const positions = placingsOf(read(matches)).map(({ position }) => position);
      const expected = [
        1,
        ...Array.from({ length: rounds }, (_, depth) => Array<number>(2 ** depth).fill(2 ** depth + 1)).flat(),
      ];
      expect(positions).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
