/** What a result of a race says, and what it cannot say: marks, places, splits. */
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

const swam = (...marks: Side[]): GivenResult => ({
  participants: marks.map((each, index) => ({ participantId: 'abcd'[index] ?? '', ...each })),
});

test('marks are read in the unit of the event, and make the places; equal ones share theirs', () => {
  const { result, violations } = readResult(
    swam({ mark: { text: '22.05' } }, { mark: { value: 21950 } }, { mark: { value: 21950 } }, { invalidResultMark: 'DSQ' }),
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

test('places that are given stay, shared ones too; who has no mark yet has none', () => {
  const { result } = readResult(swam({ mark: { text: '9.99' }, rank: 1 }, { rank: 1 }, { rank: 3 }), race);
  expect(result.parts.map(({ rank }) => rank)).toEqual([1, 1, 3]);
});

test('a place that was taken away keeps its mark, and nobody moves up', () => {
  const { result, violations } = readResult(
    swam({ mark: { text: '21.00' }, invalidResultMark: 'DSQ', vacated: true }, { mark: { text: '22.00' } }),
    race,
  );
  expect(violations).toEqual([]);
  expect(result.parts.map(({ rank }) => rank)).toEqual([1, 2]);
});

test('riders of a stage have times, and no places but those of the judges', () => {
  const tour: MatchFacts = { ...race, sport: 'CYCLING', eventCode: null, stageType: 'RACE_STAGE' };
  const { result, violations } = readResult(swam({ mark: { text: '4:30:01' } }, { mark: { text: '4:30:01' } }), tour);
  expect(violations).toEqual([]);
  expect(result.parts.map(({ mark, rank }) => [mark?.value, rank])).toEqual([
    [16_201_000, null],
    [16_201_000, null],
  ]);
});

test.each<[string, GivenResult, string[]]>([
  ['a mark of who was disqualified', swam({ mark: { value: 1 }, invalidResultMark: 'DSQ' }), ['/participants/0/mark one_of']],
  ['a place of who did not start', swam({ rank: 1, invalidResultMark: 'DNS' }), ['/participants/0/rank not_ranked']],
  ['a mark that is none', swam({ mark: { text: '22,05' } }), ['/participants/0/mark/text mark_unreadable']],
  ['splits above the mark', swam({ mark: { value: 100 }, splits: [60, 50] }), ['/participants/0/splits above_mark']],
  ['a split below zero', swam({ mark: { value: 100 }, splits: [-1] }), ['/participants/0/splits out_of_range']],
  ['a winner of a race', swam({ outcome: 'WIN' }, {}), ['/participants/0/outcome two_sides']],
  ['a walkover', { ...swam({}), endedBy: { method: 'WALKOVER' } }, ['/endedBy/method two_sides']],
  ['a stranger', { participants: [{ participantId: 'x', rank: 1 }] }, ['/participants/0/participantId not_in_match']],
  ['one twice', { participants: [{ participantId: 'a' }, { participantId: 'a' }] }, ['/participants/1/participantId duplicate']],
])('%s is refused', (_, result, expected) => {
  expect(violationsOf(result, race)).toEqual(expected);
});

test('faults point into the body the result came in', () => {
  expect(violationsOf(swam({ mark: { text: 'fast' } }), race, '/result')).toEqual([
    '/result/participants/0/mark/text mark_unreadable',
  ]);
});
