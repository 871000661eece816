/** Results of races: marks, places and splits, and their violations. */
import { expect, test } from '@jest/globals';
import type { GivenResult, MatchFacts } from '../../../../subgraphs/competitions/results/facts.ts';
import { readResult } from '../../../../subgraphs/competitions/results/read-result.ts';

const race: MatchFacts = {
  sport: 'SWIMMING',
  eventCode: '50_FREE',
  stageType: 'HEATS',
  bestOf: null,
  inTie: false,
  participantIds: ['a', 'b', 'c', 'd'],
};

type Side = Partial<GivenResult['participants'][number]>;

const violationsOf = (result: GivenResult, of: MatchFacts = race, pointer = '') =>
  readResult(result, of, pointer).violations.map((violation) => `${violation.pointer ?? ''} ${violation.code}`);

const swim = (...marks: Side[]): GivenResult => ({
  participants: marks.map((each, index) => ({ participantId: 'abcd'[index] ?? '', ...each })),
});

test('marks are parsed in the unit of the event and determine the places; equal marks share a place', () => {
  const { result, violations } = readResult(
    swim({ mark: { text: '22.05' } }, { mark: { value: 21950 } }, { mark: { value: 21950 } }, { invalidResultMark: 'DSQ' }),
    race,
  );
  expect(violations).toEqual([]);
  expect(result.parts.map(({ mark, rank }) => [mark, rank])).toEqual([
    [{ value: 22050, unit: 'ms' }, 3],
    [{ value: 21950, unit: 'ms' }, 1],
    [{ value: 21950, unit: 'ms' }, 1],
    [null, null],
  ]);
});

test('entered places are kept, including shared ones', () => {
  const { result } = readResult(swim({ mark: { text: '9.99' }, rank: 1 }, { rank: 1 }, { rank: 3 }), race);
  expect(result.parts.map(({ rank }) => rank)).toEqual([1, 1, 3]);
});

test('a vacated place keeps its mark, and the other places do not change', () => {
  const { result, violations } = readResult(
    swim({ mark: { text: '21.00' }, invalidResultMark: 'DSQ', vacated: true }, { mark: { text: '22.00' } }),
    race,
  );
  expect(violations).toEqual([]);
  expect(result.parts.map(({ rank }) => rank)).toEqual([1, 2]);
});

test('riders in a stage have times; their places come only from the judges', () => {
  const tour: MatchFacts = { ...race, sport: 'CYCLING', eventCode: null, stageType: 'RACE_STAGE' };
  const { result, violations } = readResult(swim({ mark: { text: '4:30:01' } }, { mark: { text: '4:30:01' } }), tour);
  expect(violations).toEqual([]);
  expect(result.parts.map(({ mark, rank }) => [mark?.value, rank])).toEqual([
    [16_201_000, null],
    [16_201_000, null],
  ]);
});

test.each<[string, GivenResult, string[]]>([
  [
    'a mark of a disqualified participant',
    swim({ mark: { value: 22_000 }, invalidResultMark: 'DSQ' }),
    ['/participants/0/mark one_of'],
  ],
  [
    'a place of a participant that did not start',
    swim({ rank: 1, invalidResultMark: 'DNS' }),
    ['/participants/0/rank not_ranked'],
  ],
  ['an invalid mark', swim({ mark: { text: '22,05' } }), ['/participants/0/mark/text mark_unreadable']],
  ['splits above the mark', swim({ mark: { value: 22_000 }, splits: [12_000, 11_000] }), ['/participants/0/splits above_mark']],
  ['a split below zero', swim({ mark: { value: 22_000 }, splits: [-1] }), ['/participants/0/splits out_of_range']],
  ['an outcome in a race', swim({ outcome: 'WIN' }, {}), ['/participants/0/outcome two_sides']],
  ['a walkover', { ...swim({}), endedBy: { method: 'WALKOVER' } }, ['/endedBy/method two_sides']],
  ['an unknown participant', { participants: [{ participantId: 'x', rank: 1 }] }, ['/participants/0/participantId not_in_match']],
  ['one twice', { participants: [{ participantId: 'a' }, { participantId: 'a' }] }, ['/participants/1/participantId duplicate']],
])('%s is rejected', (_, result, expected) => {
  expect(violationsOf(result, race)).toEqual(expected);
});

test('violations point into the request body', () => {
  expect(violationsOf(swim({ mark: { text: 'fast' } }), race, '/result')).toEqual([
    '/result/participants/0/mark/text mark_unreadable',
  ]);
});
