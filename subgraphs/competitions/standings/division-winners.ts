/** The participants that lead their divisions. */
import { isDivisionWinner } from './criteria.ts';
import { orderStandings, type OrderInput, type Standing } from './order.ts';

/**
 * The first of each division by the rules without division winners, which would refer to themselves. NBA, Playoff Tie-Break Procedures, c (1):
 * ties for the first place of a division are broken first, and only to determine its winner. Participants that share the first place of a
 * division are all winners.
 */
export function divisionWinnersOf(
  standings: readonly Standing[],
  input: Omit<OrderInput, 'divisionWinners'>,
): ReadonlySet<string> {
  const { rules } = input;
  if (!rules.order.some(isDivisionWinner)) return new Set();
  const order = rules.order.filter((criterion) => !isDivisionWinner(criterion));
  const divisions = Map.groupBy(standings, ({ division }) => division);
  const winners = [...divisions].flatMap(([division, own]) => {
    if (division === null) return [];
    const { groups } = orderStandings(own, { ...input, rules: { ...rules, order }, divisionWinners: new Set() });
    return groups[0] ?? [];
  });
  return new Set(winners.map(({ participantId }) => participantId));
}
