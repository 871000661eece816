/** Who goes on from a match, from two legs, a series, a bye or a race; and that nobody does while it is open. */
import { expect, test } from '@jest/globals';
import { tieOutcome, type PlayedMatch } from '../../../../subgraphs/competitions/results/tie-outcome.ts';
import { readResult } from '../../../../subgraphs/competitions/results/read-result.ts';

type Score = readonly [number, number] | null;

/** A match between two; its result as it would be read. */
function match(
  id: string,
  [one, other]: readonly [string, string],
  score: Score,
  more: { leg?: number; shootout?: Score } = {},
): PlayedMatch {
  const duration = more.shootout ? 'PENALTY_SHOOTOUT' : 'REGULAR';
  const given = score && {
    duration,
    participants: [one, other].map((participantId, index) => ({
      participantId,
      score: score[index] ?? null,
      shootoutScore: more.shootout?.[index] ?? null,
    })),
  };
  const facts = {
    sport: 'FOOTBALL',
    eventCode: null,
    stageType: 'KNOCKOUT',
    bestOf: null,
    inTie: true,
    participantIds: [one, other],
  } as const;
  const parts = given ? readResult({ ...given, duration }, facts).result.parts : [];
  return {
    id,
    leg: more.leg ?? null,
    duration: given ? duration : null,
    endedBy: null,
    entries: [one, other].map((participantId, index) => ({ participantId, bye: false, part: parts[index] ?? null })),
  };
}

const single = { legs: 1 } as const;
const sent = (matches: readonly PlayedMatch[], rules: Parameters<typeof tieOutcome>[1] = single) => {
  const { winnerId, loserId } = tieOutcome(matches, rules);
  return [winnerId, loserId];
};

test('a match sends who won, by score or by shoot-out', () => {
  expect(sent([match('1', ['a', 'b'], [0, 1])])).toEqual(['b', 'a']);
  expect(sent([match('1', ['a', 'b'], [1, 1])])).toEqual([null, null]);
  expect(sent([match('1', ['a', 'b'], [1, 1], { shootout: [4, 3] })])).toEqual(['a', 'b']);
  expect(sent([match('1', ['a', 'b'], null)])).toEqual([null, null]);
});

test('two legs send who scored more in both, by away goals where they count, or by the shoot-out of the second', () => {
  const legs = { legs: 2 } as const;
  const first = match('1', ['a', 'b'], [2, 1], { leg: 1 });
  expect(sent([first], legs)).toEqual([null, null]);
  expect(sent([match('2', ['b', 'a'], [2, 0], { leg: 2 }), first], legs)).toEqual(['b', 'a']);
  const level = match('2', ['b', 'a'], [1, 0], { leg: 2 });
  expect(sent([first, level], legs)).toEqual([null, null]);
  expect(sent([first, level], { ...legs, awayGoals: true })).toEqual(['b', 'a']);
  expect(sent([first, match('2', ['b', 'a'], [1, 0], { leg: 2, shootout: [2, 4] })], legs)).toEqual(['a', 'b']);
});

test('a series sends who has won more than half', () => {
  const games = [match('1', ['a', 'b'], [1, 0], { leg: 1 }), match('2', ['b', 'a'], [1, 0], { leg: 2 })];
  expect(sent(games, { legs: 1, bestOf: 3 })).toEqual([null, null]);
  expect(sent([...games, match('3', ['a', 'b'], [0, 1], { leg: 3 })], { legs: 1, bestOf: 3 })).toEqual(['b', 'a']);
});

test('who has a bye goes on without a match; of a race whoever came first alone', () => {
  const entry = (participantId: string | null, rank: number | null, bye = false) => {
    const { result } = readResult(
      { participants: participantId ? [{ participantId, rank }] : [] },
      { sport: 'CYCLING', eventCode: 'KEIRIN', stageType: 'HEATS', bestOf: null, inTie: false, participantIds: ['a', 'b', 'c'] },
    );
    return { participantId, bye, part: result.parts[0] ?? null };
  };
  const race = (...entries: PlayedMatch['entries']): PlayedMatch => ({
    id: '1',
    leg: null,
    duration: 'REGULAR',
    endedBy: null,
    entries,
  });
  expect(sent([race(entry('a', null), entry(null, null, true))])).toEqual(['a', null]);
  expect(sent([race(entry('a', 2), entry('b', 1), entry('c', 3))])).toEqual(['b', null]);
  expect(sent([race(entry('a', 1), entry('b', 1), entry('c', 3))])).toEqual([null, null]);
});
