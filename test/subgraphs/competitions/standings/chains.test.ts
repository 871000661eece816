/** Every place in every table is explained: the chain of a row, replayed on its values, gives the order of the table. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets, type TableCriterion } from '../../../../schema/ranking-rules.ts';
import { compareValues } from '../../../../subgraphs/competitions/standings/criteria.ts';
import { rankTable } from '../../../../subgraphs/competitions/standings/rank-table.ts';
import type { StandingRow } from '../../../../subgraphs/competitions/standings/standing-row.ts';
import { anyInput, holds } from './arbitrary.ts';

/** The criteria that a row shows in its own columns. */
const column: Partial<Record<TableCriterion, (row: StandingRow) => number>> = {
  POINTS: ({ points }) => points,
  WINS: ({ won }) => won,
  FEWEST_LOSSES: ({ lost }) => lost,
};

/** The comparisons of one row with another, as its chain tells them. */
const comparisons = (row: StandingRow, other: StandingRow) =>
  (row.tieBreak?.chain ?? []).flatMap(({ criterion, value, against }) =>
    against
      .filter(({ participantId }) => participantId === other.participantId)
      .map((theirs) => ({ criterion, own: value, theirs: theirs.value })),
  );

/** Below zero: the chain of `row` says that it stands above `other`; null where it is silent on the two. */
function replay(row: StandingRow, other: StandingRow): number | null {
  const told = comparisons(row, other);
  for (const [index, { criterion, own, theirs }] of told.entries()) {
    if (criterion === null || own === null || theirs === null) return 0;
    const order = compareValues(criterion, own, theirs);
    if (order !== 0) {
      expect(index).toBe(told.length - 1);
      return order;
    }
  }
  return null;
}

describe('the chain', () => {
  test('explains the place of each row against every other: its chain, replayed, gives the same order', () =>
    holds(({ rules }, rows) => {
      for (const [index, upper] of rows.entries()) {
        for (const lower of rows.slice(index + 1)) {
          const told = replay(upper, lower);
          expect(replay(lower, upper)).toBe(told === null ? null : 0 - told);
          if (upper.position === lower.position) expect(told).toBe(0);
          else if (told !== null) expect(told).toBeLessThan(0);
          else {
            // not level on what makes equals: the columns tell
            const separating = rules.order.find((criterion) => column[criterion]?.(upper) !== column[criterion]?.(lower));
            const of = separating && column[separating];
            expect(of && compareValues(separating, of(upper), of(lower))).toBeLessThan(0);
          }
        }
      }
    }));

  test('holds the deciding comparison, and none for whom nobody is level with', () =>
    holds((_input, rows) => {
      for (const { points, tieBreak } of rows) {
        if (rows.filter((row) => row.points === points).length > 1) expect(tieBreak).not.toBeNull();
        if (!tieBreak) continue;
        const { chain, ...deciding } = tieBreak;
        expect(chain).toContainEqual(deciding);
      }
    }));

  test('compares head-to-head points as a table of their own matches gives them', () =>
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

  test('a restarted list never leaves level what its own mini-table separates', () =>
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
