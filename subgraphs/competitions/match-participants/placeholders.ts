/** Fills entries that wait for the winner or loser of another match, and empties them when that match is open again. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import type { PlaceholderOutcome } from '../generated/resolvers.ts';
import { countingStatuses } from '../results/rows.ts';
import { tieOutcome, type PlayedMatch, type TieOutcome } from '../results/tie-outcome.ts';

/** A source match and the key of its tie, which all matches of the tie share. */
interface Source {
  readonly matchId: string;
  readonly tie: string;
}

interface Waiting {
  readonly entryId: string;
  readonly matchId: string;
  readonly sourceMatchId: string;
  readonly outcome: PlaceholderOutcome;
  readonly participantId: string | null;
  /** The other participants of the match. */
  readonly others: readonly string[];
  readonly isOpponentBye: boolean;
}

interface Tie {
  readonly tie: string;
  readonly legs: number;
  readonly bestOf: number;
  readonly awayGoals: boolean;
  readonly matches: readonly PlayedMatch[];
}

/** A match without a tie forms a separate tie. */
const tieKey = sql`coalesce(m.stage_id || ' ' || m.tie_id, m.id::text)`;

/**
 * Locks the ties of matches until the commit and returns them with all their matches. Of two legs that are decided concurrently, and of a match
 * that starts to wait meanwhile, the second transaction reads what the first one wrote.
 */
async function lockTies(transaction: WriteTransaction, matchIds: readonly string[]): Promise<Source[]> {
  const ties = await transaction.query<{ tie: string }>(sql`/* placeholders.lockTies */
    select tie, pg_advisory_xact_lock(hashtextextended(tie, 0)) from (
      select distinct ${tieKey} as tie from match m where m.id = any(${[...matchIds]}::uuid[]) order by 1) as decided`);
  return transaction.query<Source>(sql`/* placeholders.matchesOfTies */
    select m.id as "matchId", ${tieKey} as tie from match m
    where m.stage_id in (select stage_id from match where id = any(${[...matchIds]}::uuid[]))
      and ${tieKey} = any(${ties.map(({ tie }) => tie)})`);
}

/** Locks and returns the entries that wait for the matches, in matches without a result or with an annulled one. */
function lockWaiting(transaction: WriteTransaction, sources: readonly Source[]): Promise<Waiting[]> {
  return transaction.query<Waiting>(sql`/* placeholders.lockWaiting */
    select w.id as "entryId", w.match_id as "matchId", w.source_match_id as "sourceMatchId", w.source_outcome as outcome,
      w.participant_id as "participantId",
      array(select participant_id from match_participant where match_id = w.match_id and id <> w.id and participant_id is not null) as others,
      exists (select from match_participant where match_id = w.match_id and id <> w.id and bye) as "isOpponentBye"
    from match_participant w join match m on m.id = w.match_id
    where w.source_match_id = any(${sources.map(({ matchId }) => matchId)}::uuid[])
      and not exists (select from result where match_id = w.match_id and status <> 'ANNULLED')
    order by w.match_id, w.ordinal for update of m`);
}

function readTies(transaction: WriteTransaction, sources: readonly Source[]): Promise<Tie[]> {
  return transaction.query<Tie>(sql`/* placeholders.ties */
    select ${tieKey} as tie, case when m.tie_id is null then 1 else s.legs end as legs,
      case when m.tie_id is null then 1 else coalesce(s.best_of, 1) end as "bestOf", s.away_goals as "awayGoals",
      coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'leg', m.leg, 'duration', r.duration, 'endedBy', r.ended_by, 'entries', (
        select coalesce(jsonb_agg(jsonb_build_object('participantId', e.participant_id, 'bye', e.bye,
          'part', case when r.id is not null then e.result end) order by e.ordinal), '[]')
        from match_participant e where e.match_id = m.id))) filter (where m.status <> 'CANCELLED'), '[]') as matches
    from match m join stage s on s.id = m.stage_id
      left join result r on r.match_id = m.id and r.status = any(${[...countingStatuses]})
    where m.id = any(${sources.map(({ matchId }) => matchId)}::uuid[])
    group by 1, 2, 3, 4`);
}

interface Fill {
  readonly entryId: string;
  readonly matchId: string;
  readonly participantId: string | null;
}

/** The new participant of an entry; null where nothing changes. A participant that the organizer entered manually stays. */
function fillOf(waiting: Waiting, { winnerId, loserId, participantIds }: TieOutcome, former: readonly string[]): Fill | null {
  const { entryId, matchId, participantId, others, outcome } = waiting;
  const sent = outcome === 'WINNER' ? winnerId : loserId;
  if (sent === participantId || (sent !== null && others.includes(sent))) return null;
  if (participantId !== null && !participantIds.includes(participantId) && !former.includes(participantId)) return null;
  return { entryId, matchId, participantId: sent };
}

/** Writes the participants. The line-up is emptied, because it belongs to the former participant. */
async function writeEntries(transaction: WriteTransaction, fills: readonly Fill[]): Promise<MatchRow[]> {
  await transaction.query(sql`/* placeholders.fill */
    update match_participant e set participant_id = p.id, team_id = p.team_id, lineup = '[]',
      athlete_ids = case when p.athlete_id is null then coalesce(p.member_ids, '{}') else array[p.athlete_id] end
    from jsonb_to_recordset(${JSON.stringify(fills)}::jsonb) as fill("entryId" uuid, "participantId" uuid)
      left join participant p on p.id = fill."participantId"
    where e.id = fill."entryId"`);
  const rows = await transaction.query<MatchRow>(sql`/* placeholders.matches */
    select ${matchResource.table.columns} from match where id = any(${fills.map(({ matchId }) => matchId)}::uuid[]) order by id`);
  const changed: MatchRow[] = [];
  for (const row of rows)
    changed.push(await changeRow(transaction, matchResource, row, {}, { action: 'updated', event: 'match.updated' }));
  return changed;
}

/**
 * Fills the entries that wait for the given matches or for their ties, and empties those whose tie is open again. Matches with a
 * result do not change. Each match is given with its former participants: entries that contain one of them are replaced. Where a filled
 * match has a bye, its participant advances further. Returns the changed matches.
 */
export async function fillEntries(
  transaction: WriteTransaction,
  decidedMatches: ReadonlyMap<string, readonly string[]>,
): Promise<MatchRow[]> {
  if (decidedMatches.size === 0) return [];
  const sources = await lockTies(transaction, [...decidedMatches.keys()]);
  const waiting = await lockWaiting(transaction, sources);
  if (waiting.length === 0) return [];
  const tieOf = new Map(sources.map(({ matchId, tie }) => [matchId, tie]));
  const formerOf = (tie: string | undefined): string[] =>
    sources.flatMap((source) => (source.tie === tie ? (decidedMatches.get(source.matchId) ?? []) : []));
  const wanted = new Set(waiting.map(({ sourceMatchId }) => tieOf.get(sourceMatchId)));
  const ties = await readTies(
    transaction,
    sources.filter(({ tie }) => wanted.has(tie)),
  );
  const decided = new Map(
    ties.map(({ tie, legs, bestOf, awayGoals, matches }) => [
      tie,
      tieOutcome(matches, { legs: legs === 2 ? 2 : 1, bestOf, awayGoals }),
    ]),
  );
  const fills = waiting.flatMap((each) => {
    const key = tieOf.get(each.sourceMatchId);
    const tie = decided.get(key ?? '');
    const fill = tie && fillOf(each, tie, formerOf(key));
    return fill ? [{ ...fill, before: each.participantId, advances: each.isOpponentBye }] : [];
  });
  if (fills.length === 0) return [];
  const changed = await writeEntries(transaction, fills);
  const further = Map.groupBy(
    fills.filter((fill) => fill.advances),
    ({ matchId }) => matchId,
  );
  const replaced = [...further].map(([id, own]) => [id, own.flatMap(({ before }) => before ?? [])] as const);
  return [...changed, ...(await fillEntries(transaction, new Map(replaced)))];
}
