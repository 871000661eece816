/** The table of one stage and group: positions, sums, and tie-breaks. */
import type { TableRules } from '../../../schema/ranking-rules.ts';
import { countedMatches, type CountedMatches } from './counted-matches.ts';
import { divisionWinnersOf } from './division-winners.ts';
import { entryOf, type MatchEntry } from './match-entry.ts';
import { opponentsOf } from './opponents.ts';
import { orderStandings, type Standing } from './order.ts';
import { gamesBehind, lastTen, matchRecord, streakOf, winPercentage } from './records.ts';
import type { StandingRow } from './standing-row.ts';
import type { Adjustment, TableInput } from './table-input.ts';
import { tallyOf } from './tally.ts';
import { tieBreakOf } from './tie-break.ts';

const formLength = 5;

function entriesByParticipant(input: TableInput, { matches }: CountedMatches): ReadonlyMap<string, MatchEntry[]> {
  const { rules, participants, scoredInSets = false, options: { type = 'TOTAL' } = {} } = input;
  const entries = new Map<string, MatchEntry[]>(participants.map((id) => [id, []]));
  for (const match of matches) {
    for (const index of [0, 1] as const) {
      const { participantId, venue } = match.sides[index];
      if (type !== 'TOTAL' && venue !== type) continue;
      entries.get(participantId)?.push(entryOf(match, index, rules, scoredInSets));
    }
  }
  return entries;
}

/** Points for winning every match of a finished season, such as the Grand Slam of the Six Nations. A draw forfeits it. */
function unbeatenBonus({ bonus }: TableRules, entries: readonly MatchEntry[], finished: boolean): number {
  if (!finished || entries.length === 0 || entries.some(({ outcome }) => outcome !== 'WIN')) return 0;
  return bonus.reduce((sum, { type, points }) => (type === 'UNBEATEN' ? sum + points : sum), 0);
}

function deducted(adjustments: readonly Adjustment[]): StandingRow['pointsDeducted'] {
  const given = adjustments.reduce((sum, { points }) => sum + points, 0);
  return { value: 0 - given, reasons: adjustments.map(({ reason }) => reason) };
}

/** The sums and points of each participant. */
function standingsOf(input: TableInput, counted: CountedMatches) {
  const { rules, participants, divisions, options: { type = 'TOTAL' } = {} } = input;
  const entries = entriesByParticipant(input, counted);
  const isTotal = type === 'TOTAL';
  const adjustments = Map.groupBy(isTotal ? (input.adjustments ?? []) : [], ({ participantId }) => participantId);
  const { inGroup, inDivision } = opponentsOf(input);
  return participants.map((participantId) => {
    const own = entries.get(participantId) ?? [];
    const total = tallyOf(own);
    const bonusPoints = total.bonusPoints + (isTotal ? unbeatenBonus(rules, own, !counted.open.has(participantId)) : 0);
    const pointsDeducted = deducted(adjustments.get(participantId) ?? []);
    const carried = isTotal ? input.carriedPoints?.get(participantId) : undefined;
    const { points: carriedPoints = null, rounding = 0 } = carried ?? {};
    return {
      participantId,
      entries: own,
      total,
      within: tallyOf(own, inGroup(participantId)),
      division: divisions?.get(participantId) ?? null,
      inDivision: tallyOf(own, inDivision(participantId)),
      bonusPoints,
      pointsDeducted,
      points: total.points + bonusPoints - pointsDeducted.value + (carried ? carried.points - carried.included : 0),
      carriedPoints,
      rounding,
    };
  });
}

/**
 * Ranks the participants of one stage and group by the rules of federations (schema/ranking-rules.ts). The order of
 * participants, matches and sides does not matter. Participants who share a position are in the order of their IDs.
 */
export function rankTable(input: TableInput): StandingRow[] {
  const { rules, options: { type = 'TOTAL' } = {} } = input;
  const counted = countedMatches(input);
  const isTotal = type === 'TOTAL';
  const standings = standingsOf(input, counted);
  const orderInput = { rules, decisions: isTotal ? (input.decisions ?? []) : [], open: counted.open };
  const order = orderStandings(standings, { ...orderInput, divisionWinners: divisionWinnersOf(standings, orderInput) });
  const byId = new Map(standings.map((standing) => [standing.participantId, standing]));
  const points = new Map(standings.map((standing) => [standing.participantId, standing.points]));
  const first = byId.get(order.groups[0]?.[0]?.participantId ?? '')?.total;
  const rowOf = (standing: (typeof standings)[number], position: number): StandingRow => {
    const { participantId, total, within, division, inDivision, bonusPoints, pointsDeducted, carriedPoints } = standing;
    return {
      position,
      participantId,
      matchesPlayed: total.played,
      won: total.won,
      draw: total.draw,
      lost: total.lost,
      scoreFor: total.scoreFor,
      scoreAgainst: total.scoreAgainst,
      scoreDifference: total.scoreFor - total.scoreAgainst,
      setsWon: total.setsWon,
      setsLost: total.setsLost,
      bonusPoints,
      pointsDeducted,
      points: standing.points,
      carriedPoints,
      form: formOf(standing),
      winPercentage: winPercentage(total),
      gamesBehind: gamesBehind(first ?? total, total),
      streak: streakOf(standing.entries),
      lastTen: lastTen(standing.entries),
      groupRecord: matchRecord(within),
      divisionRecord: division === null ? null : matchRecord(inDivision),
      zone: isTotal ? zoneOf(rules, position) : null,
      tieBreak: tieBreakOf(standing, order.steps.get(participantId) ?? [], points),
    };
  };

  const rows: StandingRow[] = [];
  for (const group of order.groups) {
    const position = rows.length + 1;
    for (const { participantId } of group) {
      const standing = byId.get(participantId);
      if (standing) rows.push(rowOf(standing, position));
    }
  }
  return rows;
}

const formOf = ({ entries }: Standing): StandingRow['form'] =>
  entries
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome !== 'NO_CONTEST')
    .slice(-formLength);

const zoneOf = ({ zones }: TableRules, position: number): string | null =>
  zones.find(({ from, to }) => from <= position && position <= to)?.code ?? null;
