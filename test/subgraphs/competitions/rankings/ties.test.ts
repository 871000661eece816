/** Knock-out ties: the advancing side and the reason, over one match, two legs or a series. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { standingOf, type TieMatch, type TieResult, type TieRules } from '../../../../subgraphs/competitions/rankings/tie.ts';

const sides = ['A', 'B'] as const;
const single: TieRules = { legs: 1 };
const legs: TieRules = { legs: 2 };
const away: TieRules = { legs: 2, awayGoals: true };

/** Score from the view of the home side. B is at home in leg 2. */
const leg = (number: number, one: number, other: number, rest: Partial<TieResult> = {}): TieMatch => ({
  matchId: `leg-${number}`,
  leg: number,
  participantIds: number % 2 === 1 ? ['A', 'B'] : ['B', 'A'],
  result: { scores: [one, other], ...rest },
});
const outcome = (winnerId: string, rest: Partial<TieResult> = {}): TieMatch => ({
  ...leg(1, 0, 0),
  result: { scores: null, winnerId, ...rest },
});
const extra = { duration: 'EXTRA_TIME' } as const;
const shootout = (one: number, other: number): Partial<TieResult> => ({
  duration: 'PENALTY_SHOOTOUT',
  shootoutScores: [one, other],
});

test.each<[string, TieMatch[], TieRules, string | null, string | null]>([
  ['the higher score', [leg(1, 2, 1)], single, 'A', 'SCORE'],
  ['the higher score after extra time', [leg(1, 1, 2, extra)], single, 'B', 'EXTRA_TIME'],
  ['the shoot-out', [leg(1, 1, 1, shootout(3, 4))], single, 'B', 'PENALTY_SHOOTOUT'],
  ['no winner at a level score', [leg(1, 1, 1)], single, null, null],
  ['no winner before the match', [{ ...leg(1, 0, 0), result: null }], single, null, null],
  ['the outcome of a match without a score', [outcome('B', { endedBy: 'KO_TKO' })], single, 'B', 'OUTCOME'],
  ['the outcome against the score: the leader was disqualified', [leg(1, 2, 0, { winnerId: 'B' })], single, 'B', 'OUTCOME'],
  ['the side whose opponent did not appear', [outcome('A', { endedBy: 'WALKOVER' })], single, 'A', 'WALKOVER'],
  ['a walkover that is scored 3-0', [leg(1, 3, 0, { winnerId: 'A', endedBy: 'WALKOVER' })], single, 'A', 'WALKOVER'],
  ['no winner after the first leg', [leg(1, 5, 0)], legs, null, null],
  ['the aggregate', [leg(1, 1, 0), leg(2, 2, 0)], legs, 'B', 'AGGREGATE'],
  ['no winner at a level aggregate without the away goals rule', [leg(1, 1, 0), leg(2, 2, 1)], legs, null, null],
  ['away goals, if the rules contain them', [leg(1, 1, 0), leg(2, 2, 1)], away, 'A', 'AWAY_GOALS'],
  ['away goals in extra time', [leg(1, 1, 0), leg(2, 2, 1, extra)], away, 'A', 'AWAY_GOALS'],
  ['extra time of the second leg', [leg(1, 1, 0), leg(2, 2, 0, extra)], legs, 'B', 'EXTRA_TIME'],
  ['the shoot-out of the second leg', [leg(1, 1, 0), leg(2, 1, 0, shootout(4, 5))], legs, 'A', 'PENALTY_SHOOTOUT'],
  ['no winner during a series', [leg(1, 90, 80), leg(2, 90, 80)], { legs: 1, bestOf: 3 }, null, null],
  ['the winner of the series', [leg(1, 90, 80), leg(2, 80, 90)], { legs: 1, bestOf: 3 }, 'A', 'SERIES'],
])('%s', (_, matches, rules, advancedId, decidedBy) => {
  expect(standingOf(matches, sides, rules)).toMatchObject({ advancedId, decidedBy });
});

test('the aggregate, the shoot-out and the wins are in the order of the sides, regardless of the venue of each leg', () => {
  expect(standingOf([leg(2, 1, 0, shootout(4, 5)), leg(1, 1, 0)], sides, legs)).toEqual({
    aggregate: [1, 1],
    shootoutScores: [5, 4],
    wins: [1, 1],
    advancedId: 'A',
    decidedBy: 'PENALTY_SHOOTOUT',
  });
});

describe('any two legs', () => {
  const goals = fc.nat({ max: 3 });

  test('have the same winner whatever the order of sides and legs', () => {
    fc.assert(
      fc.property(goals, goals, goals, goals, fc.boolean(), (one, two, three, four, awayGoals) => {
        const matches = [leg(1, one, two), leg(2, three, four)];
        const rules = { legs: 2, awayGoals } as const;
        const standing = standingOf(matches, sides, rules);
        const turned = standingOf(matches.toReversed(), ['B', 'A'], rules);
        expect(turned).toMatchObject({ advancedId: standing.advancedId, decidedBy: standing.decidedBy });
        expect(turned.aggregate?.toReversed()).toEqual(standing.aggregate);
        const difference = one + four - (two + three);
        if (difference !== 0) expect(standing.advancedId).toBe(difference > 0 ? 'A' : 'B');
        else expect(standing.advancedId).toBe(!awayGoals || four === two ? null : four > two ? 'A' : 'B');
      }),
    );
  });
});
