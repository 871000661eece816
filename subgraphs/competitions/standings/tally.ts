/** Sums over matches, for tables and mini-tables. */
import type { MatchEntry } from './match-entry.ts';

export interface Tally {
  played: number;
  won: number;
  draw: number;
  lost: number;
  /** For outcomes, without bonus points. */
  points: number;
  bonusPoints: number;
  scoreFor: number;
  scoreAgainst: number;
  setsWon: number;
  setsLost: number;
  triesFor: number;
  triesAgainst: number;
  awayFor: number;
}

/** Sums entries. For a mini-table, only those against the given opponents. */
export function tallyOf(entries: readonly MatchEntry[], opponents?: ReadonlySet<string>): Readonly<Tally> {
  const sum: Tally = {
    played: 0,
    won: 0,
    draw: 0,
    lost: 0,
    points: 0,
    bonusPoints: 0,
    scoreFor: 0,
    scoreAgainst: 0,
    setsWon: 0,
    setsLost: 0,
    triesFor: 0,
    triesAgainst: 0,
    awayFor: 0,
  };
  for (const entry of entries) {
    if (opponents && !opponents.has(entry.opponentId)) continue;
    if (entry.outcome === 'WIN') sum.won += 1;
    else if (entry.outcome === 'DRAW') sum.draw += 1;
    else if (entry.outcome === 'LOSS') sum.lost += 1;
    sum.points += entry.points;
    sum.bonusPoints += entry.bonusPoints;
    sum.scoreFor += entry.scoreFor;
    sum.scoreAgainst += entry.scoreAgainst;
    sum.setsWon += entry.setsWon;
    sum.setsLost += entry.setsLost;
    sum.triesFor += entry.triesFor;
    sum.triesAgainst += entry.triesAgainst;
    if (entry.away) sum.awayFor += entry.scoreFor;
  }
  sum.played = sum.won + sum.draw + sum.lost;
  return sum;
}
