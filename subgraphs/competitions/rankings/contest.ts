/** The overall ranking of a contest: whoever reached the final stands before whoever reached a semi-final, and so on down to the heats. */
import type { MarkEntry, RankedMark } from './by-mark.ts';

/** Stage types that are phases of a contest, the last one first; swim-offs decide within the stage they follow and are no phase. */
const phaseTypes = ['FINAL', 'SEMIFINAL', 'HEATS', 'QUALIFYING'] as const;
export type PhaseType = (typeof phaseTypes)[number];

export interface Phase<Entry extends MarkEntry> {
  readonly stageId: string;
  readonly type: PhaseType;
  /** The stage's order: of two finals the one with the greater order is the main one. */
  readonly order: number;
  readonly ranking: readonly RankedMark<Entry>[];
}

export interface ContestRow<Entry extends MarkEntry> {
  /** Null for an invalid result in the last phase that was reached. */
  readonly rank: number | null;
  readonly shared: boolean;
  readonly stageId: string;
  readonly row: RankedMark<Entry>;
}

/** Those who did not start leave their place in the phase to a reserve. */
const tookPart = ({ entry }: RankedMark): boolean => entry.invalidResultMark !== 'DNS' && entry.invalidResultMark !== 'WDR';

/**
 * Each participant once, in the furthest phase reached. Ranks go on below the number who took part in the phases above: with one of eight
 * finalists disqualified, the best semi-finalist who did not reach the final is still ninth.
 */
export function rankContest<Entry extends MarkEntry>(phases: readonly Phase<Entry>[]): ContestRow<Entry>[] {
  const seen = new Set<string>();
  let above = 0;
  return phases
    .toSorted((one, other) => phaseTypes.indexOf(one.type) - phaseTypes.indexOf(other.type) || other.order - one.order)
    .flatMap(({ stageId, ranking }) => {
      const rows = ranking.filter(({ entry }) => !seen.has(entry.participantId));
      for (const { entry } of rows) seen.add(entry.participantId);
      const offset = above;
      above += rows.filter(tookPart).length;
      const ranks = rows.flatMap(({ rank }) => rank ?? []);
      return rows.map((row) => {
        const { rank } = row;
        // those who went further left gaps, and whoever was level with them may now stand alone
        const within = rank === null ? null : 1 + ranks.filter((other) => other < rank).length;
        return {
          rank: within === null ? null : offset + within,
          shared: rank !== null && ranks.filter((other) => other === rank).length > 1,
          stageId,
          row,
        };
      });
    });
}
