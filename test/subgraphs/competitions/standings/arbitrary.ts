/** Arbitrary tables: few participants, small scores, every rule set in both scopes. */
import fc from 'fast-check';
import { rankingRuleSets, type TableRules } from '../../../../schema/ranking-rules.ts';
import { rankTable } from '../../../../subgraphs/competitions/standings/rank-table.ts';
import type { StandingRow } from '../../../../subgraphs/competitions/standings/standing-row.ts';
import type { TableInput, TableMatch, TableSide } from '../../../../subgraphs/competitions/standings/table-input.ts';

export const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const tableRules = Object.values(rankingRuleSets).filter(
  (rules): rules is Extract<typeof rules, TableRules> => rules.method === 'TABLE',
);

const anyRules: fc.Arbitrary<TableRules> = fc
  .record({
    rules: fc.constantFrom<TableRules>(...tableRules),
    headToHeadScope: fc.constantFrom('ALL_TIED' as const, 'REAPPLY' as const, 'RESTART' as const),
    headToHeadWhen: fc.constantFrom('ALWAYS' as const, 'ALL_PLAYED' as const),
  })
  .map(({ rules, ...scope }) => ({ ...rules, ...scope }));

// Small scores produce tight tables with many ties.
const score = fc.integer({ min: 0, max: 2 });

const anyMatch = fc
  .record({
    pair: fc.shuffledSubarray(ids, { minLength: 2, maxLength: 2 }),
    scores: fc.tuple(score, score),
    tries: fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })),
    forfeit: fc.constantFrom(true, ...Array<false>(9).fill(false)),
    noContest: fc.constantFrom(true, ...Array<false>(9).fill(false)),
    duration: fc.constantFrom('REGULAR' as const, 'EXTRA_TIME' as const),
    provisional: fc.boolean(),
    playedAtMs: fc.integer({ min: 0, max: 5 }),
    matchday: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  .map(({ pair, scores, tries, forfeit, noContest, ...match }): Omit<TableMatch, 'id'> => {
    const side = (own: 0 | 1): TableSide => {
      const difference = scores[own] - scores[own === 0 ? 1 : 0];
      return {
        participantId: pair[own] ?? '',
        venue: own === 0 ? 'HOME' : 'AWAY',
        outcome: noContest ? 'NO_CONTEST' : difference > 0 ? 'WIN' : difference < 0 ? 'LOSS' : 'DRAW',
        score: scores[own],
        periodScores: [scores[own], own],
        tries: tries[own],
        forfeit: forfeit && difference < 0,
        points: null,
        bonusPoints: null,
      };
    };
    return { ...match, sides: [side(0), side(1)] };
  });

const anyMatches = fc
  .array(anyMatch, { maxLength: 18 })
  .map((matches) => matches.map((match, index) => ({ id: `m${index}`, ...match })));

export const anyInput: fc.Arbitrary<TableInput> = fc.record({
  rules: anyRules,
  participants: fc.constant(ids),
  matches: anyMatches,
  openMatches: fc.array(
    fc.shuffledSubarray(ids, { minLength: 2, maxLength: 2 }).map(([a = '', b = '']) => [a, b] as const),
    { maxLength: 2 },
  ),
  adjustments: fc.array(
    fc.record({ participantId: fc.constantFrom(...ids), points: fc.integer({ min: -3, max: 1 }), reason: fc.constant('-') }),
    { maxLength: 2 },
  ),
  decisions: fc.array(
    fc.record({
      order: fc.shuffledSubarray(ids, { minLength: 2 }),
      criterion: fc.constantFrom('DISCIPLINARY' as const, 'DRAW_OF_LOTS' as const),
      reason: fc.constant('-'),
    }),
    { maxLength: 2 },
  ),
  // b and e are of one group and division, f is of none
  groups: fc.constantFrom(
    undefined,
    new Map('abcde'.split('').map((id) => [id, id < 'c' || id === 'e' ? 'East' : 'West'] as const)),
  ),
  divisions: fc.constantFrom(
    undefined,
    new Map('bcde'.split('').map((id) => [id, id === 'b' || id === 'e' ? 'North' : id] as const)),
  ),
  scoredInSets: fc.boolean(),
  options: fc.record({ live: fc.boolean() }),
});

/** Asserts a property of arbitrary tables and their inputs. */
export const holds = (property: (input: TableInput, rows: StandingRow[]) => void, inputs = anyInput) =>
  fc.assert(
    fc.property(inputs, (input) => property(input, rankTable(input))),
    { numRuns: 300 },
  );
