/** Short notation for the matches of a bracket. */
import { expect } from '@jest/globals';
import type { BracketMatch, MatchSlot } from '../../../../subgraphs/competitions/rankings/bracket-links.ts';
import { readBracket, type Bracket } from '../../../../subgraphs/competitions/rankings/bracket.ts';

export const winnerOf = (sourceMatchId: string): MatchSlot => ({ placeholder: { sourceMatchId, outcome: 'WINNER' } });
export const loserOf = (sourceMatchId: string): MatchSlot => ({ placeholder: { sourceMatchId, outcome: 'LOSER' } });
const slotOf = (slot: string | MatchSlot): MatchSlot => (typeof slot === 'string' ? { participantId: slot } : slot);

export const match = (
  matchId: string,
  one: string | MatchSlot,
  other: string | MatchSlot,
  scores: [number, number] | null = null,
  rest: Partial<BracketMatch> = {},
): BracketMatch => ({ matchId, slots: [slotOf(one), slotOf(other)], result: scores && { scores }, ...rest });

export const read = (matches: readonly BracketMatch[], ...rules: [] | [Parameters<typeof readBracket>[1]]): Bracket => {
  const { value, violations } = readBracket(matches, ...rules);
  expect(violations).toEqual([]);
  if (!value) throw new Error('no bracket');
  return value;
};
