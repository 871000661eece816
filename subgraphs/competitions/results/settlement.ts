/** Collects the consequences of the results of one transaction, rankings and placeholders, and applies them once at its end. */
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { fillEntries } from '../match-participants/placeholders.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { RankingChange, RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';

/** The members of a match that determine its rankings. */
type Ranked = Pick<MatchRow, 'seasonId' | 'contestId' | 'stageId' | 'groupName'>;

/** A recorded change of a result. Its event contains the changed positions, which are known at the end. */
interface ReportedChange {
  readonly participantIds: readonly string[];
  readonly changes: RankingChange[];
}

export interface Settlement {
  /** Marks the rankings of a match for recomputation: its result, its sides or its stage changed. */
  touch(match: Ranked): void;
  /**
   * Marks the placeholders for a match: they are filled with its winner or loser, or emptied. `former` are its former participants, who lose
   * the places that they took because of it.
   */
  decide(matchId: string, former?: readonly string[]): void;
  /** Adds the changed positions to `changes` when they are known: all positions for a single change, else those of its participants. */
  reportChanges(change: ReportedChange): void;
  /** Applies everything. Call it once, after the last write of the transaction. */
  settle(transaction: WriteTransaction): Promise<void>;
}

/** Creates the settlement of one transaction. */
export function openSettlement(): Settlement {
  const scopes = new Map<string, RankingScope>();
  const decided = new Map<string, readonly string[]>();
  const reported: ReportedChange[] = [];
  const touch: Settlement['touch'] = ({ seasonId, contestId, stageId, groupName }) => {
    scopes.set(JSON.stringify([stageId, groupName]), { seasonId, contestId, stageId, groupName });
  };
  return {
    touch,
    decide: (matchId, former = []) => void decided.set(matchId, [...(decided.get(matchId) ?? []), ...former]),
    reportChanges: (change) => void reported.push(change),
    async settle(transaction) {
      for (const match of await fillEntries(transaction, decided)) touch(match);
      if (scopes.size === 0) return;
      const changes = withMovement(await refreshRankings(transaction, [...scopes.values()]));
      const [only, ...others] = reported;
      if (only && others.length === 0) only.changes.push(...changes);
      else for (const each of reported) each.changes.push(...changesOf(changes, each.participantIds));
    },
  };
}

/** Maximum number of positions of one ranking in an event. Clients that need more read the ranking. */
const changedMax = 200;

/** The rankings in which positions changed. */
function withMovement(changes: readonly RankingChange[]): RankingChange[] {
  return changes.flatMap((change) =>
    change.changed.length > 0 ? [{ ...change, changed: change.changed.slice(0, changedMax) }] : [],
  );
}

/** The changes for the sides of one result. In a batch, each result may change a whole table, so its event contains its own sides only. */
function changesOf(changes: readonly RankingChange[], participantIds: readonly string[]): RankingChange[] {
  return withMovement(
    changes.map((change) => ({
      ...change,
      changed: change.changed.filter(({ participantId }) => participantIds.includes(participantId)),
    })),
  );
}
