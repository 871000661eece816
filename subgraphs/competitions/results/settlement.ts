/** What the results written in one transaction bring about together: rankings, and entries that wait for who wins or loses. Done once, at its end. */
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { MatchRow } from '../matches/rows.ts';
import { fillEntries } from '../match-participants/placeholders.ts';
import type { RankingChange, RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';

/** What of a match says which rankings it is in. */
type Ranked = Pick<MatchRow, 'seasonId' | 'contestId' | 'stageId' | 'groupName'>;

/** A change of a result that is noted already; its event names the places that it moved, once those are known. */
interface Told {
  readonly participantIds: readonly string[];
  readonly changes: RankingChange[];
}

export interface Settlement {
  /** The rankings of this match are computed anew: its result, its sides or its place in the season changed. */
  touch(match: Ranked): void;
  /**
   * Entries that wait for this match are filled with who won or lost it, or emptied; also where one begins to wait. `former` took part in
   * it before: they give up the places that they were given by it.
   */
  decide(matchId: string, former?: readonly string[]): void;
  /** Puts the places that moved into `changes`, when they are known: all of them for the only one who asks, else those of the participants. */
  tell(told: Told): void;
  /** Does all of it; call it once, after the last write of the transaction. */
  settle(transaction: WriteTransaction): Promise<void>;
}

/** Opens the settlement of one transaction. A write that does nothing but results of one match opens one, too. */
export function openSettlement(): Settlement {
  const scopes = new Map<string, RankingScope>();
  const decided = new Map<string, readonly string[]>();
  const tellings: Told[] = [];
  const touch: Settlement['touch'] = ({ seasonId, contestId, stageId, groupName }) => {
    scopes.set(JSON.stringify([stageId, groupName]), { seasonId, contestId, stageId, groupName });
  };
  return {
    touch,
    decide: (matchId, former = []) => void decided.set(matchId, [...(decided.get(matchId) ?? []), ...former]),
    tell: (told) => void tellings.push(told),
    async settle(transaction) {
      for (const match of await fillEntries(transaction, decided)) touch(match);
      if (scopes.size === 0) return;
      const changes = moved(await refreshRankings(transaction, [...scopes.values()]));
      const [only, ...others] = tellings;
      if (only && others.length === 0) only.changes.push(...changes);
      else for (const told of tellings) told.changes.push(...changesOf(changes, told.participantIds));
    },
  };
}

/** The most places of one ranking that an event tells of: who needs more reads the ranking. */
const changedMax = 200;

/** Rankings in which places moved. */
function moved(changes: readonly RankingChange[]): RankingChange[] {
  return changes.flatMap((change) =>
    change.changed.length > 0 ? [{ ...change, changed: change.changed.slice(0, changedMax) }] : [],
  );
}

/** A batch may move a whole table by each of its results: an event tells of its own sides only. */
function changesOf(changes: readonly RankingChange[], participantIds: readonly string[]): RankingChange[] {
  return moved(
    changes.map((change) => ({
      ...change,
      changed: change.changed.filter(({ participantId }) => participantIds.includes(participantId)),
    })),
  );
}
