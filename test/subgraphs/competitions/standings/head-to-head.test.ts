/** Which matches head-to-head criteria compare once they have separated some of the tied participants. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets } from '../../../../schema/ranking-rules.ts';
import { places, season, table } from './matches.ts';

describe('head-to-head criteria that leave some participants tied', () => {
  // Equal points and difference of A, B and C among each other; C scored less, and A beat B.
  const byGoals = season('A 3-2 B', 'B 1-0 C', 'C 1-0 A', 'A 1-0 X', 'B 9-0 X', 'C 1-0 X');
  // Equal points. A beat B and C, who drew. Among the three, C has the better difference; over all matches, B.
  const drawn = ['B 0-0 X', 'B 0-0 X', 'C 0-0 X', 'C 0-0 X'];
  const lost = ['X 1-0 A', 'X 1-0 A', 'X 1-0 A'];
  const byDifference = season('A 2-0 B', 'A 1-0 C', 'B 1-1 C', 'B 9-0 X', 'C 1-0 X', ...drawn, ...lost);

  test.each([
    ['ALL_TIED', byGoals, '1 B, 2 A, 3 C'],
    ['REAPPLY', byGoals, '1 A, 2 B, 3 C'],
    ['RESTART', byGoals, '1 A, 2 B, 3 C'],
  ] as const)('%s: the direct match of the two that stay tied', (headToHeadScope, matches, expected) => {
    expect(places(table({ ...rankingRuleSets.FOOTBALL_UEFA, headToHeadScope }, matches))).toContain(expected);
  });

  test.each([
    ['REAPPLY', '1 X, 2 A, 3 C, 4 B'],
    ['RESTART', '1 X, 2 A, 3 B, 4 C'],
  ] as const)('%s: after all criteria of the first comparison, or at once', (headToHeadScope, expected) => {
    expect(places(table({ ...rankingRuleSets.FOOTBALL_UEFA, headToHeadScope }, byDifference))).toBe(expected);
  });
});
