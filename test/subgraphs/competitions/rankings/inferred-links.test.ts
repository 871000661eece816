/** Brackets without placeholders: links follow from the participants of later matches. */
import { describe, expect, test } from '@jest/globals';
import type { BracketMatch } from '../../../../subgraphs/competitions/rankings/bracket-links.ts';
import type { Bracket } from '../../../../subgraphs/competitions/rankings/bracket.ts';
import { withInferredSources, withInferredTies } from '../../../../subgraphs/competitions/rankings/inferred-links.ts';
import type { TieRules } from '../../../../subgraphs/competitions/rankings/tie.ts';
import { match, read, winnerOf } from './matches.ts';

const rulesOf = (stageId: string | null): TieRules => ({ legs: stageId === 'two' ? 2 : 1 });
const bracketOf = (matches: readonly BracketMatch[]): Bracket =>
  read(withInferredSources(withInferredTies(matches), rulesOf), rulesOf);
const idsOf = ({ rounds }: Bracket): string[] => rounds.map(({ ties }) => ties.map(({ tieId }) => tieId).join(' '));

const quarter = { roundKey: 'quarter', round: 'Quarter-finals' };
const semi = { roundKey: 'semi', round: 'Semi-finals' };
const quarters = [
  match('q1', 'A', 'B', [1, 0], quarter),
  match('q2', 'C', 'D', [1, 0], quarter),
  match('q3', 'E', 'F', [1, 0], quarter),
  match('q4', 'G', 'H', [1, 0], quarter),
];
const semis = [match('s1', 'E', 'A', [0, 2], semi), match('s2', 'C', 'G', [0, 1], semi)];
const last = [
  match('third', 'C', 'E', [1, 0], { roundKey: 'third', round: 'Third place' }),
  match('final', 'A', 'G', [3, 1], { roundKey: 'final', round: 'Final' }),
];

describe('a bracket without placeholders', () => {
  test('has rounds, a champion and a third place', () => {
    const bracket = bracketOf([...quarters, ...semis, ...last]);
    expect(idsOf(bracket)).toEqual(['q3 q1 q2 q4', 's1 s2', 'final third']);
    expect(bracket).toMatchObject({ championId: 'A', runnerUpId: 'G', thirdPlaceId: 'C', fourthPlaceId: 'E' });
    expect(bracket.rounds.map(({ name }) => name)).toEqual(['Quarter-finals', 'Semi-finals', 'Final']);
  });

  test('in progress: a tie without a next one stays in its round, and there is no champion', () => {
    const open = [...quarters.slice(0, 3), match('q4', 'G', 'H', null, quarter), ...semis.slice(0, 1)];
    expect(idsOf(bracketOf(open))).toEqual(['q3 q1 q2 q4', 's1']);
    expect(bracketOf(open).championId).toBeNull();
  });

  test('two matches of a round are legs; a replay decides a drawn single match', () => {
    const legs = [
      match('s1a', 'A', 'B', [1, 0], { ...semi, stageId: 'two' }),
      match('s2a', 'C', 'D', [0, 0], semi),
      match('s1b', 'B', 'A', [3, 1], { ...semi, stageId: 'two' }),
      match('s2b', 'D', 'C', [0, 1], semi),
      match('f', 'B', 'C', [2, 1], { roundKey: 'final' }),
    ];
    const bracket = bracketOf(legs);
    expect(
      bracket.rounds.map(({ ties }) => ties.map(({ matchIds, advancedId }) => `${matchIds.join(',')} ${advancedId}`)),
    ).toEqual([['s1a,s1b B', 's2a,s2b C'], ['f B']]);
    expect(bracket.championId).toBe('B');
  });

  test('given placeholders take precedence, and an unknown entrant has no source', () => {
    const final = match('f', winnerOf('q2'), 'Z', [1, 0], { roundKey: 'final' });
    const bracket = bracketOf([...quarters.slice(0, 2), final]);
    expect(bracket.rounds.at(-1)?.ties[0]?.slots.map(({ source }) => source?.tieId ?? null)).toEqual(['q2', null]);
  });
});
