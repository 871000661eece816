/** Entries of matches: the facts that they refer to, and their rows. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { visibleAthleteIds } from '../../clients/athlete-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { participantResource, type ParticipantRow } from '../participants/rows.ts';
import type { CreateMatchActionInput, CreateMatchInput, MatchParticipantInput } from '../generated/resolvers.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { EntryFacts } from './rules.ts';
import type { EntryValues } from './values.ts';
import { matchParticipants, type MatchParticipantRow } from './rows.ts';

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
];

/** The source matches of placeholders, and recursively the sources of those matches. */
async function readSources(queryable: Queryable, ids: readonly string[]): Promise<EntryFacts['sources']> {
  if (ids.length === 0) return new Map();
  const rows = await queryable.query<{ id: string; seasonId: string; waitsFor: string[] }>(sql`/* matches.sources */
    with recursive source(id) as (
      select unnest(${[...ids]}::uuid[])
      union select p.source_match_id from source join match_participant p on p.match_id = source.id where p.source_match_id is not null
    )
    select match.id, match.season_id as "seasonId", coalesce(
      (select array_agg(p.source_match_id) from match_participant p where p.match_id = match.id and p.source_match_id is not null),
      '{}') as "waitsFor"
    from source join match using (id)`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Serializes the writes of placeholders of a season until the commit, so that two concurrent ones cannot form a cycle. */
export async function lockPlaceholders(transaction: Queryable, seasonId: string): Promise<void> {
  await transaction.query(
    sql`/* matches.lockPlaceholders */ select pg_advisory_xact_lock(hashtextextended(${`waits ${seasonId}`}, 0))`,
  );
}

/** The source matches of new placeholders, stable until the commit. */
export async function lockSources(
  transaction: Queryable,
  seasonId: string,
  ids: readonly string[],
): Promise<EntryFacts['sources']> {
  await lockPlaceholders(transaction, seasonId);
  return readSources(transaction, present(ids));
}

/** What entries refer to, in two statements for any number of entries. `athletes` are those that the caller can refer to. */
export async function readEntryFacts(
  queryable: Queryable,
  entries: readonly MatchParticipantInput[],
  athletes: ReadonlySet<string>,
): Promise<EntryFacts> {
  const ids = present(entries.map((entry) => entry.participantId));
  const [participants, sources] = await Promise.all([
    ids.length === 0
      ? []
      : queryable.query<ParticipantRow>(sql`/* matches.participants */ select ${participantResource.table.columns}
          from participant where id = any(${ids}::uuid[])`),
    readSources(queryable, present(entries.map((entry) => entry.placeholder?.sourceMatchId))),
  ]);
  return { participants: new Map(participants.map((row) => [row.id, row])), athletes, sources };
}

/** The athletes in line-ups and actions that the caller can refer to, in one query. */
export function fetchPlayers(
  context: Context,
  entries: readonly Pick<MatchParticipantInput, 'lineup'>[],
  actions: readonly CreateMatchActionInput[] = [],
): Promise<ReadonlySet<string>> {
  return visibleAthleteIds(context, [
    ...entries.flatMap((entry) => (entry.lineup ?? []).map(({ athleteId }) => athleteId)),
    ...actions.flatMap(({ athleteId, assistId }) => [athleteId, assistId]),
  ]);
}

/** Everything that the entries and actions of new matches refer to. */
export async function fetchMatchFacts(
  queryable: Queryable,
  context: Context,
  matches: readonly CreateMatchInput[],
): Promise<EntryFacts> {
  const entries = matches.flatMap(({ participants }) => participants ?? []);
  const actions = matches.flatMap((match) => match.actions ?? []);
  return readEntryFacts(queryable, entries, await fetchPlayers(context, entries, actions));
}

/** An entry with its position in the program, from 0. */
export type ProgramEntry = EntryValues & { readonly ordinal: number };

const members = sql`ordinal, participant_id, team_id, athlete_ids, placeholder_text, source_match_id, source_outcome,
  side, lane, bib, seed, bye, lineup, formation, staff`;
const values = sql`e.ordinal, e."participantId", e."teamId", e."athleteIds", e."placeholderText", e."sourceMatchId", e."sourceOutcome",
  e.side, e.lane, e.bib, e.seed, e.bye, e.lineup, e.formation, e.staff`;
const given = (entries: readonly ProgramEntry[]): Sql => sql`jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(id uuid,
  ordinal int, "participantId" uuid, "teamId" uuid, "athleteIds" uuid[], "placeholderText" text, "sourceMatchId" uuid, "sourceOutcome" text,
  side text, lane int, bib text, seed int, bye boolean, lineup jsonb,
  formation text, staff jsonb)`;
const inOrder = (rows: MatchParticipantRow[]): MatchParticipantRow[] => rows.sort((a, b) => a.ordinal - b.ordinal);

/** Inserts entries of a match in one statement. */
export async function insertEntries(
  transaction: Queryable,
  match: MatchRow,
  entries: readonly ProgramEntry[],
): Promise<MatchParticipantRow[]> {
  if (entries.length === 0) return [];
  const rows = await transaction.query<MatchParticipantRow>(sql`/* matches.insertEntries */
    insert into match_participant (match_id, starts_at, published, ${members})
    select ${match.id}, ${match.startsAt}::timestamptz, ${match.published}::boolean, ${values} from ${given(entries)}
    returning ${matchParticipants.columns}`);
  return inOrder(rows);
}

/** Updates entries in one statement. Their parts of the result do not change. */
export async function updateEntries(
  transaction: Queryable,
  entries: readonly (ProgramEntry & { readonly id: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  await transaction.query(sql`/* matches.updateEntries */ update match_participant set (${members}) = (select ${values})
    from ${given(entries)} where match_participant.id = e.id`);
}

export async function deleteEntries(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(sql`/* matches.deleteEntries */ delete from match_participant where id = any(${[...ids]}::uuid[])`);
}
