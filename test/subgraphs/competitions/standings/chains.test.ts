/** Tie-break chains explain every position: replaying a chain on its values gives the order of the table. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets, type TableCriterion } from '../../../../schema/ranking-rules.ts';
import { compareValues } from '../../../../subgraphs/competitions/standings/criteria.ts';
import { rankTable } from '../../../../subgraphs/competitions/standings/rank-table.ts';
import type { StandingRow } from '../../../../subgraphs/competitions/standings/standing-row.ts';
import { anyInput, holds } from './arbitrary.ts';

/** Criteria with a column in the row. */
const column: Partial<Record<TableCriterion, (row: StandingRow) => number>> = {
  POINTS: ({ points }) => points,
  WINS: ({ won }) => won,
  FEWEST_LOSSES: ({ lost }) => lost,
  // equal ratios are equal floating-point numbers
  WIN_PERCENTAGE: ({ won, draw, matchesPlayed }) => (matchesPlayed === 0 ? 0 : (2 * won + draw) / (2 * matchesPlayed)),
};

/** The comparisons of one row with another from its chain. */
const comparisons = (row: StandingRow, other: StandingRow) =>
  (row.tieBreak?.chain ?? []).flatMap(({ criterion, value, against }) =>
    against
      .filter(({ participantId }) => participantId === other.participantId)
      .map((theirs) => ({ criterion, own: value, theirs: theirs.value })),
  );

/** Negative where the chain of `row` ranks it above `other`, null where the chain does not compare them. */
function replay(row: StandingRow, other: StandingRow): number | null {
  const compared = comparisons(row, other);
  for (const [index, { criterion, own, theirs }] of compared.entries()) {
    if (criterion === null || own === null || theirs === null) return 0;
    const order = compareValues(criterion, own, theirs);
    if (order !== 0) {
      expect(index).toBe(compared.length - 1);
      return order;
    }
  }
  return null;
}

describe('the chain', () => {
  test('explains the position of each row against every other row', () =>
    holds(({ rules }, rows) => {
      for (const [index, upper] of rows.entries()) {
        for (const lower of rows.slice(index + 1)) {
          const order = replay(upper, lower);
          expect(replay(lower, upper)).toBe(order === null ? null : 0 - order);
          if (upper.position === lower.position) expect(order).toBe(0);
          else if (order !== null) expect(order).toBeLessThan(0);
          else {
            // Not equal in points or the first criterion: the columns explain it.
            const separating = rules.order.find((criterion) => column[criterion]?.(upper) !== column[criterion]?.(lower));
            const of = separating && column[separating];
            expect(of && compareValues(separating, of(upper), of(lower))).toBeLessThan(0);
          }
        }
      }
    }));

  test('contains the deciding comparison, and is null without tied participants', () =>
    holds((_input, rows) => {
      for (const { points, tieBreak } of rows) {
        if (rows.filter((row) => row.points === points).length > 1) expect(tieBreak).not.toBeNull();
        if (!tieBreak) continue;
        const { chain, ...deciding } = tieBreak;
        expect(chain).toContainEqual(deciding);
      }
    }));

  test('compares head-to-head points as a table of the matches between the tied does', () =>
    holds((input, rows) => {
      for (const { participantId, tieBreak } of input.rules.order[0] === 'POINTS' ? rows : []) {
        const chain = tieBreak?.chain ?? [];
        for (const { value, against } of chain.filter(({ criterion }) => criterion === 'HEAD_TO_HEAD_POINTS')) {
          const tied = [participantId, ...against.map((each) => each.participantId)];
          const among = input.matches.filter(({ sides }) => sides.every((side) => tied.includes(side.participantId)));
          const own = rankTable({ ...input, participants: tied, matches: among, adjustments: [] });
          const points = new Map(own.map((row) => [row.participantId, row.points - row.bonusPoints]));
          expect([value, ...against.map((each) => each.value)]).toEqual(tied.map((id) => points.get(id)));
        }
      }
    }));

  test('a restarted list separates all participants that its mini-table separates', () =>
    holds(
      (input, rows) => {
        const groups = Map.groupBy(rows, ({ position }) => position).values();
        for (const shared of groups) {
          const tied = shared.map(({ participantId }) => participantId);
          const among = input.matches.filter(({ sides }) => sides.every((side) => tied.includes(side.participantId)));
          const own = rankTable({ ...input, participants: tied, matches: among, adjustments: [] });
          expect(new Set(own.map((row) => row.points - row.bonusPoints)).size).toBe(1);
        }
      },
      anyInput.map((input) => ({ ...input, rules: { ...rankingRuleSets.BASKETBALL, headToHeadWhen: 'ALWAYS' as const } })),
    ));
});
