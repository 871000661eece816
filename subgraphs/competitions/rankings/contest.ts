/** The overall ranking of a contest: finalists rank before semi-finalists, and so on down to the heats. */
import type { MarkEntry, RankedMark } from './by-mark.ts';

/** Stage types that are phases of a contest, the last phase first. Swim-offs decide within their phase and are no phase. */
const phaseTypes = ['FINAL', 'SEMIFINAL', 'HEATS', 'QUALIFYING'] as const;
export type PhaseType = (typeof phaseTypes)[number];

export interface Phase<Entry extends MarkEntry> {
  readonly stageId: string;
  readonly type: PhaseType;
  /** Order of the stage. Of two finals, the one with the higher order is the main final. */
  readonly order: number;
  readonly ranking: readonly RankedMark<Entry>[];
}

export interface ContestRow<Entry extends MarkEntry> {
  /** Null for an invalid result in the last phase of the participant. */
  readonly rank: number | null;
  readonly shared: boolean;
  readonly stageId: string;
  readonly row: RankedMark<Entry>;
}

/** A participant who did not start leaves the place in the phase to a reserve. */
const tookPart = ({ entry }: RankedMark): boolean => entry.invalidResultMark !== 'DNS' && entry.invalidResultMark !== 'WDR';

/**
 * Lists each participant once, in the furthest phase reached. Ranks continue below the number of participants of the phases above: if one of eight
 * finalists is disqualified, the best semi-finalist outside the final is still ninth.
 */
export function rankContest<Entry extends MarkEntry>(phases: readonly Phase<Entry>[]): ContestRow<Entry>[] {
  const listed = new Set<string>();
  let above = 0;
  return phases
    .toSorted((one, other) => phaseTypes.indexOf(one.type) - phaseTypes.indexOf(other.type) || other.order - one.order)
    .flatMap(({ stageId, ranking }) => {
      const rows = ranking.filter(({ entry }) => !listed.has(entry.participantId));
      for (const { entry } of rows) listed.add(entry.participantId);
      const offset = above;
      above += rows.filter(tookPart).length;
      const ranks = rows.flatMap(({ rank }) => rank ?? []);
      return rows.map((row) => {
        const { rank } = row;
        // Participants of further phases are removed, which closes gaps and may resolve shared ranks.
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
