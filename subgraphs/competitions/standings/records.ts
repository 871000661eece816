/** What North American leagues show beside a table: percentage, games behind, streak and records. */
import type { MatchEntry } from './match-entry.ts';
import type { MatchRecord, StandingRow } from './standing-row.ts';
import type { Outcome } from './table-input.ts';
import { tallyOf } from './tally.ts';

const lastTenLength = 10;

const hasOutcome = ({ outcome }: MatchEntry): boolean => outcome !== 'NO_CONTEST';

export const matchRecord = ({ won, draw, lost }: MatchRecord): MatchRecord => ({ won, draw, lost });

/** From 0 to 100 with one decimal place; a draw is half a win. Null without matches. */
export function winPercentage({ won, draw, lost }: MatchRecord): number | null {
  const played = won + draw + lost;
  return played === 0 ? null : Math.round((1000 * (2 * won + draw)) / (2 * played)) / 10;
}

/** Half the difference of wins, plus half the difference of losses. Negative for a row that leads by games but not by the rules. */
export const gamesBehind = (first: MatchRecord, own: MatchRecord): number => (first.won - first.lost - (own.won - own.lost)) / 2;

/** The current run of equal outcomes, over entries in chronological order. */
export function streakOf(entries: readonly MatchEntry[]): StandingRow['streak'] {
  const outcomes = entries.filter(hasOutcome).map(({ outcome }): Outcome => outcome);
  const outcome = outcomes.at(-1);
  if (outcome === undefined) return null;
  const before = outcomes.findLastIndex((each) => each !== outcome);
  return { outcome, count: outcomes.length - 1 - before };
}

/** The record of the last ten matches. */
export const lastTen = (entries: readonly MatchEntry[]): MatchRecord =>
  matchRecord(tallyOf(entries.filter(hasOutcome).slice(-lastTenLength)));
