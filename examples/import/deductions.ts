/** Points that a league deducted from a team, from the command line. */
import type { Club } from './club-book.ts';
import type { Draft } from './plan.ts';
import type { ExternalId, Rejection } from './row.ts';

/** Points deducted from a team, with the reason. */
export interface Deduction {
  readonly team: string;
  readonly points: number;
  readonly reason: string;
}

/**
 * Reads `TEAM=POINTS:REASON`.
 * @throws {Error} with the part that is missing.
 */
export function readDeduction(text: string): Deduction {
  const [, team, points, reason] = /^\s*(.+?)\s*=\s*(\d+)\s*:\s*(.*\S)\s*$/.exec(text) ?? [];
  if (team === undefined || points === undefined || reason === undefined || Number(points) === 0)
    throw new Error(`--deduct is TEAM=POINTS:REASON, such as "Everton FC=8:Breach of the spending rules", not ${text}`);
  return { team, points: Number(points), reason };
}

/** The deductions as rows; a deduction for a team that is not in the season is rejected. */
export function adjustmentDrafts(
  deductions: readonly Deduction[],
  clubOf: (name: string) => Club,
  season: ExternalId,
  playing: ReadonlySet<string>,
): (Draft | Rejection)[] {
  const times = new Map<string, number>();
  return deductions.map(({ team, points, reason }) => {
    const club = clubOf(team).externalId.value;
    const place = `--deduct ${team}`;
    if (!playing.has(club)) return { place, label: team, reasons: ['does not play in this season'] };
    const time = (times.get(club) ?? 0) + 1;
    times.set(club, time);
    return {
      place,
      label: team,
      externalId: { scheme: season.scheme, value: `${season.value}/deduction/${club}/${time}` },
      members: (ids) => ({ participantId: ids.of('participants', `${season.value}/${club}`), points: -points, reason }),
    };
  });
}
