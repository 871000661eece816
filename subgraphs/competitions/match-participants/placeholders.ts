/** Entries that wait for who wins or loses another match: filled when that is decided, emptied when it is open again. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { PlaceholderOutcome } from '../resolvers.generated.ts';
import { goesOn, type GoesOn, type PlayedMatch } from '../results/who-goes-on.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { countingStatuses } from '../results/rows.ts';

/** A match that others may wait for: its tie is named by one key, with all its other matches. */
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
  /** Everybody else in the match. */
  readonly others: readonly string[];
  readonly besideBye: boolean;
}

interface Tie {
  readonly tie: string;
  readonly legs: number;
  readonly bestOf: number;
  readonly awayGoals: boolean;
  readonly matches: readonly PlayedMatch[];
}

/** A match alone is a tie of its own. */
const tieKey = sql`coalesce(m.stage_id || ' ' || m.tie_id, m.id::text)`;

/**
 * The ties of matches, with all their matches. They are locked until the commit: of two legs that are decided at once, and of a match
 * that begins to wait meanwhile, whoever comes second sees what the first one wrote.
 */
async function holdTies(transaction: WriteTransaction, matchIds: readonly string[]): Promise<Source[]> {
  const ties = await transaction.query<{ tie: string }>(sql`/* placeholders.holdTies */
    select tie, pg_advisory_xact_lock(hashtextextended(tie, 0)) from (
      select distinct ${tieKey} as tie from match m where m.id = any(${[...matchIds]}::uuid[]) order by 1) as asked`);
  return transaction.query<Source>(sql`/* placeholders.matchesOfTies */
    select m.id as "matchId", ${tieKey} as tie from match m
    where m.stage_id in (select stage_id from match where id = any(${[...matchIds]}::uuid[]))
      and ${tieKey} = any(${ties.map(({ tie }) => tie)})`);
}

/** What waits for the matches, in matches without a result, or with one that was annulled; those matches are locked. */
function holdWaiting(transaction: WriteTransaction, sources: readonly Source[]): Promise<Waiting[]> {
  return transaction.query<Waiting>(sql`/* placeholders.holdWaiting */
    select w.id as "entryId", w.match_id as "matchId", w.source_match_id as "sourceMatchId", w.source_outcome as outcome,
      w.participant_id as "participantId",
      array(select participant_id from match_participant where match_id = w.match_id and id <> w.id and participant_id is not null) as others,
      exists (select from match_participant where match_id = w.match_id and id <> w.id and bye) as "besideBye"
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

/** Who takes the place now; null where nothing changes. Somebody else whom the organizer put there stays. */
function fillOf(waiting: Waiting, { winnerId, loserId, participantIds }: GoesOn, former: readonly string[]): Fill | null {
  const { entryId, matchId, participantId, others, outcome } = waiting;
  const sent = outcome === 'WINNER' ? winnerId : loserId;
  if (sent === participantId || (sent !== null && others.includes(sent))) return null;
  if (participantId !== null && !participantIds.includes(participantId) && !former.includes(participantId)) return null;
  return { entryId, matchId, participantId: sent };
}

/** A team sheet is that of who was there before: whoever comes hands in another. */
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
 * Fills the entries that wait for the given matches or for their ties, and empties those whose tie is open again; a match that has a
 * result stays as it is. Each match is given with those who took part in it before: whoever goes on now takes their places. Where one
 * side of a filled match is a bye, who waits for it goes on, too. Returns the matches that changed.
 */
export async function fillEntries(
  transaction: WriteTransaction,
  decidedMatches: ReadonlyMap<string, readonly string[]>,
): Promise<MatchRow[]> {
  if (decidedMatches.size === 0) return [];
  const sources = await holdTies(transaction, [...decidedMatches.keys()]);
  const waiting = await holdWaiting(transaction, sources);
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
      goesOn(matches, { legs: legs === 2 ? 2 : 1, bestOf, awayGoals }),
    ]),
  );
  const fills = waiting.flatMap((each) => {
    const key = tieOf.get(each.sourceMatchId);
    const tie = decided.get(key ?? '');
    const fill = tie && fillOf(each, tie, formerOf(key));
    return fill ? [{ ...fill, before: each.participantId, goesOn: each.besideBye }] : [];
  });
  if (fills.length === 0) return [];
  const changed = await writeEntries(transaction, fills);
  const further = Map.groupBy(
    fills.filter((fill) => fill.goesOn),
    ({ matchId }) => matchId,
  );
  const replaced = [...further].map(([id, own]) => [id, own.flatMap(({ before }) => before ?? [])] as const);
  return [...changed, ...(await fillEntries(transaction, new Map(replaced)))];
}
