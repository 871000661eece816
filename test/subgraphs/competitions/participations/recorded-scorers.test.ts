/** When the actions of a match account for its result. */
import { expect, test } from '@jest/globals';
import type { Sport } from '../../../../schema/sports.ts';
import { recordedScorers, type ScoringAction } from '../../../../subgraphs/competitions/participations/recorded-scorers.ts';

const known = (actions: readonly ScoringAction[], scores: readonly (number | null)[], sport: Sport = 'FOOTBALL') => {
  const sides = scores.map((score, index) => ({ participantId: `side ${index}`, athleteIds: [`player ${index}`], score }));
  const { scorersKnown, assistsKnown } = recordedScorers(sport, sides, actions);
  return [scorersKnown, assistsKnown];
};
const goal = (side: number, more: Partial<ScoringAction> = {}): ScoringAction => ({
  type: 'GOAL',
  participantId: `side ${side}`,
  athleteId: `player ${side}`,
  ...more,
});

test('scorers are known if each side has as many goals as its score and each goal names its scorer', () => {
  expect(known([goal(0), goal(0), goal(1)], [2, 1])).toEqual([true, false]);
  expect(known([goal(0, { participantId: null })], [1, 0])).toEqual([true, false]);
  expect(known([goal(0, { athleteId: null, athleteName: 'A guest' })], [1, 0])).toEqual([true, false]);
  expect(known([goal(0, { athleteId: null })], [1, 0])).toEqual([false, false]);
  expect(known([goal(0)], [2, 0])).toEqual([false, false]);
  expect(known([goal(0)], [0, 1])).toEqual([false, false]);
  expect(known([goal(0)], [1, null])).toEqual([false, false]);
  expect(known([goal(0)], [1, 0, 0])).toEqual([false, false]);
});

test('an own goal counts for the other side, and a shootout goal for none', () => {
  expect(known([goal(0, { type: 'OWN_GOAL', athleteId: null })], [0, 1])).toEqual([true, false]);
  expect(known([goal(0, { type: 'SHOOTOUT_GOAL' })], [0, 0])).toEqual([true, true]);
});

test('assists are known if an action names one, or without goals', () => {
  expect(known([goal(0, { assistId: 'other' }), goal(0)], [2, 0])).toEqual([true, true]);
  expect(known([goal(0, { assistName: 'A guest' })], [1, 0])).toEqual([true, true]);
  expect(known([], [0, 0])).toEqual([true, true]);
});

test('points of basketball add up by type, and other sports have no record', () => {
  const baskets = [goal(0, { type: 'THREE_POINTS' }), goal(0, { type: 'FREE_THROW' }), goal(1, { type: 'TWO_POINTS' })];
  expect(known(baskets, [4, 2], 'BASKETBALL')).toEqual([true, false]);
  expect(known(baskets, [5, 2], 'BASKETBALL')).toEqual([false, false]);
  expect(known([], [0, 0], 'VOLLEYBALL')).toEqual([false, false]);
});
