/** Any result input is either rejected, or reads the same when the parsed result is read again. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { GivenResult, MatchFacts, CompleteResult } from '../../../../subgraphs/competitions/results/facts.ts';
import { readResult } from '../../../../subgraphs/competitions/results/read-result.ts';

/** Mostly null, because members that are all present would contradict each other. */
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const score = fc.integer({ min: 0, max: 3 });
const side = fc.record({
  outcome: rarely(fc.constantFrom('WIN' as const, 'LOSS' as const, 'DRAW' as const, 'NO_CONTEST' as const)),
  rank: rarely(fc.integer({ min: 1, max: 4 })),
  score: rarely(score),
  shootoutScore: rarely(score),
  periodScores: rarely(fc.array(score, { maxLength: 3 })),
  forfeit: rarely(fc.boolean()),
  mark: rarely(fc.constantFrom({ value: 9580 }, { value: 9690 }, { text: '9.58' })),
  splits: rarely(fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 2 })),
  invalidResultMark: rarely(fc.constantFrom('DNS' as const, 'DSQ' as const)),
  vacated: rarely(fc.boolean()),
});
const ids = ['a', 'b', 'c', 'd'] as const;
const facts: fc.Arbitrary<MatchFacts> = fc.record({
  sport: fc.constantFrom('FOOTBALL' as const, 'VOLLEYBALL' as const, 'COMBAT' as const, 'ATHLETICS' as const, 'CYCLING' as const),
  eventCode: fc.constantFrom(null, '100M'),
  stageType: fc.constantFrom('LEAGUE' as const, 'HEATS' as const, 'RACE_STAGE' as const),
  bestOf: fc.constant(null),
  inTie: fc.boolean(),
  participantIds: fc.constantFrom(ids.slice(0, 2), ids.slice(0, 4)),
});
const methods = ['RETIREMENT', 'WALKOVER', 'KO_TKO', 'DECISION_SPLIT', 'DISQUALIFICATION', 'AWARDED'] as const;
const endedBy = rarely(fc.record({ method: fc.constantFrom(...methods) }));
/** Both scores, both period scores, or an outcome, together with other members. */
const played = fc.oneof(
  fc.tuple(score, score).map(([one, other]) => [{ score: one }, { score: other }]),
  fc
    .array(fc.tuple(score, score), { maxLength: 3 })
    .map((periods) => [0, 1].map((at) => ({ periodScores: periods.map((pair) => pair[at] ?? 0) }))),
  fc.constantFrom('WIN' as const, 'DRAW' as const).map((outcome) => [{ outcome }, {}]),
  fc.constant([{}, {}]),
);
const duration = fc.constantFrom('REGULAR' as const, 'EXTRA_TIME' as const, 'PENALTY_SHOOTOUT' as const);

/** The input that describes a parsed result. */
const repeated = ({ parts, ...result }: CompleteResult): GivenResult => ({
  ...result,
  participants: parts.map(({ mark, periodScores, splits, countback, bonusPoints, tieBreakScores, ...part }) => ({
    ...part,
    mark: mark && { value: mark.value },
    periodScores: [...periodScores],
    tieBreakScores: [...tieBreakScores],
    splits: [...splits],
    countback: [...countback],
    attempts: part.attempts ? [...part.attempts] : null,
    statistics: Object.entries(part.statistics ?? {}).map(([metric, value]) => ({ metric, value })),
    scorecards: part.scorecards?.map((card) => ({ ...card, periodScores: [...card.periodScores] })) ?? null,
    bonusPoints: [...bonusPoints],
  })),
});

const readable = (match: MatchFacts, sides: readonly object[], both: readonly object[], more: object) => {
  const participants = match.participantIds.map((participantId, index) => ({
    participantId: participantId ?? '',
    ...sides[index],
    ...both[index],
  }));
  return readResult({ participants, ...more }, match);
};

test('a parsed result is valid input and reads the same', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      facts,
      fc.array(side, { minLength: 4, maxLength: 4 }),
      played,
      duration,
      endedBy,
      (match, sides, both, length, ending) => {
        const { result, violations } = readable(match, sides, both, { duration: length, endedBy: ending });
        if (violations.length > 0)
          return violations.every(({ pointer, detail }) => pointer?.startsWith('/') === true && detail !== '');
        accepted += 1;
        return isDeepStrictEqual(readResult(repeated(result), match), { result, violations: [] });
      },
    ),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(200);
});

test('a tennis score parsed from text reads the same by participant', () => {
  const match: MatchFacts = {
    sport: 'TENNIS',
    eventCode: null,
    stageType: 'KNOCKOUT',
    bestOf: null,
    inTie: false,
    participantIds: ['a', 'b'],
  };
  const participants = [{ participantId: 'a' }, { participantId: 'b' }];
  for (const scoreText of ['6-4 3-6 7-6(5)', '6-4 3-6 [10-8]', '7-6(3) 6-7(4) 6-3 6-0']) {
    const { result, violations } = readResult({ participants, scoreText }, match);
    expect(violations).toEqual([]);
    expect(readResult(repeated(result), match)).toEqual({ result, violations: [] });
  }
  const short = { participantId: 'a', periodScores: [7, 6], tieBreakScores: [5] };
  const { violations } = readResult({ participants: [short, { participantId: 'b', periodScores: [6, 4] }] }, match);
  expect(violations).toEqual([expect.objectContaining({ pointer: '/participants/0/tieBreakScores', code: 'sets_differ' })]);
});
