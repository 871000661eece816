/** The standard seeded draw: 1 meets 16, 8 meets 9 …; 1 and 2 can meet only in the final; byes go to the top seeds. */
import type { BracketMatch, MatchSlot } from './bracket-links.ts';

export interface DrawOptions {
  /** Ids for the matches; round from 1, position from 1 at the top of the draw. The match for third place has position 2 of the last round. */
  readonly matchIdOf?: (round: number, position: number) => string;
  readonly thirdPlace?: boolean;
}

/** Seeds from the top of the draw, for a number of places that is a power of two: neighbours always add up to one more than the places. */
export function seedOrder(places: number): number[] {
  let order = [1];
  while (order.length < places) {
    const sum = order.length * 2 + 1;
    order = order.flatMap((seed, index) => (index % 2 === 0 ? [seed, sum - seed] : [sum - seed, seed]));
  }
  return order;
}

/**
 * The matches of a knock-out of participants in the order of their seeds. With fewer than a power of two the first seeds have a bye: they
 * stand directly in the second round, and there is no match for a bye. Fewer than two participants give no match; an id given twice throws RangeError.
 */
export function seededDraw(participantIds: readonly string[], options: DrawOptions = {}): BracketMatch[] {
  const { matchIdOf = (round, position) => `${round}-${position}`, thirdPlace = false } = options;
  if (new Set(participantIds).size !== participantIds.length) throw new RangeError('A participant is seeded twice.');
  if (participantIds.length < 2) return [];
  const rounds = Math.ceil(Math.log2(participantIds.length));
  let slots: (MatchSlot | null)[] = seedOrder(2 ** rounds).map((seed) => {
    const participantId = participantIds[seed - 1];
    return participantId === undefined ? null : { participantId, seed };
  });
  const matches: BracketMatch[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const next: (MatchSlot | null)[] = [];
    for (let index = 0; index < slots.length; index += 2) {
      const [one, other] = [slots[index] ?? null, slots[index + 1] ?? null];
      const position = index / 2 + 1;
      const matchId = matchIdOf(round, position);
      if (one && other) matches.push({ matchId, bracketPosition: position, slots: [one, other] });
      next.push(one && other ? { placeholder: { sourceMatchId: matchId, outcome: 'WINNER' } } : (one ?? other));
    }
    slots = next;
  }
  return thirdPlace ? [...matches, ...thirdPlaceMatch(matches, matchIdOf(rounds, 2))] : matches;
}

/** Only where both sides of the final come from a match. */
function thirdPlaceMatch(matches: readonly BracketMatch[], matchId: string): BracketMatch[] {
  const [one, other] = matches.at(-1)?.slots.map(({ placeholder }) => placeholder) ?? [];
  if (!one || !other) return [];
  const loserOf = ({ sourceMatchId }: { sourceMatchId: string }): MatchSlot => ({
    placeholder: { sourceMatchId, outcome: 'LOSER' },
  });
  return [{ matchId, bracketPosition: 2, slots: [loserOf(one), loserOf(other)] }];
}
