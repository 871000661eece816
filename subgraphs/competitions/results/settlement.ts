/** Collects the consequences of the results of one transaction, rankings and placeholders, and applies them once at its end. */
import { sql } from '../../../platform/database/database.ts';
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
  /** Marks a match whose result changed: its `updatedAt` and that of its parent match follow the result. */
  follow(matchId: string): void;
  /** Adds the changed positions to `changes` when they are known: all positions for a single change, else those of its participants. */
  reportChanges(change: ReportedChange): void;
  /** Applies everything. Call it once, after the last write of the transaction. Returns the `updatedAt` of the matches that follow a result. */
  settle(transaction: WriteTransaction): Promise<ReadonlyMap<string, string>>;
}

/** Creates the settlement of one transaction. */
export function openSettlement(): Settlement {
  const scopes = new Map<string, RankingScope>();
  const decided = new Map<string, readonly string[]>();
  const reported: ReportedChange[] = [];
  const followers = new Set<string>();
  const touch: Settlement['touch'] = ({ seasonId, contestId, stageId, groupName }) => {
    scopes.set(JSON.stringify([stageId, groupName]), { seasonId, contestId, stageId, groupName });
  };
  return {
    touch,
    decide: (matchId, former = []) => void decided.set(matchId, [...(decided.get(matchId) ?? []), ...former]),
    follow: (matchId) => void followers.add(matchId),
    reportChanges: (change) => void reported.push(change),
    async settle(transaction) {
      for (const match of await fillEntries(transaction, decided)) touch(match);
      const updated = await updateFollowers(transaction, [...followers]);
      if (scopes.size === 0) return updated;
      const changes = withMovement(await refreshRankings(transaction, [...scopes.values()]));
      const [only, ...others] = reported;
      if (only && others.length === 0) only.changes.push(...changes);
      else for (const each of reported) each.changes.push(...changesOf(changes, each.participantIds));
      return updated;
    },
  };
}

/**
 * Sets the `updatedAt` of matches whose result changed, and of their parent matches, whose score follows. The version stays, so that a client
 * can still change the match that it read. A match that this transaction wrote already has a time after its start.
 */
async function updateFollowers(transaction: WriteTransaction, matchIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (matchIds.length === 0) return new Map();
  const rows = await transaction.query<{ id: string; updatedAt: string }>(sql`/* matches.followResults */
    with follower as (select id from match where updated_at < now() and (id = any(${[...matchIds]}::uuid[])
      or id in (select parent_id from match where id = any(${[...matchIds]}::uuid[]))) order by id for no key update)
    update match set updated_at = statement_timestamp() from follower where match.id = follower.id
    returning match.id, match.updated_at as "updatedAt"`);
  return new Map(rows.map(({ id, updatedAt }) => [id, updatedAt]));
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
