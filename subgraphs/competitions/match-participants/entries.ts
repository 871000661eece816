/** Entries of matches: looking up what they name, and their rows. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { visibleAthleteIds } from '../../clients/athlete-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { EntryFacts, EntryValues } from './rules.ts';
import type { CreateMatchActionInput, CreateMatchInput, MatchParticipantInput } from '../resolvers.generated.ts';
import { matchParticipants, type MatchParticipantRow, type MatchRow } from '../matches/rows.ts';
import { participantResource, type ParticipantRow } from '../season-parts/rows.ts';

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
];

/** The matches that places wait for, and all that these wait for. */
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

/** Places of a season begin to wait one after another until the commit: so two that would wait for each other see it. */
export async function lockSources(transaction: Queryable, seasonId: string): Promise<void> {
  await transaction.query(
    sql`/* matches.lockSources */ select pg_advisory_xact_lock(hashtextextended(${`waits ${seasonId}`}, 0))`,
  );
}

/** The matches that places begin to wait for, and all that these wait for, as they stay until the commit. */
export async function holdSources(
  transaction: Queryable,
  seasonId: string,
  ids: readonly string[],
): Promise<EntryFacts['sources']> {
  await lockSources(transaction, seasonId);
  return readSources(transaction, present(ids));
}

/** What the places of matches name: two statements for any number of them. `athletes` are those that the caller may name. */
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

/** The athletes of team sheets and actions that the caller may name: one fetch for all of them. */
export function knownPlayers(
  context: Context,
  entries: readonly Pick<MatchParticipantInput, 'lineup'>[],
  actions: readonly CreateMatchActionInput[] = [],
): Promise<ReadonlySet<string>> {
  return visibleAthleteIds(context, [
    ...entries.flatMap((entry) => (entry.lineup ?? []).map(({ athleteId }) => athleteId)),
    ...actions.flatMap(({ athleteId, assistId }) => [athleteId, assistId]),
  ]);
}

/** All that the places and the actions of new matches name. */
export async function gatherMatchFacts(
  queryable: Queryable,
  context: Context,
  matches: readonly CreateMatchInput[],
): Promise<EntryFacts> {
  const entries = matches.flatMap(({ participants }) => participants ?? []);
  const actions = matches.flatMap((match) => match.actions ?? []);
  return readEntryFacts(queryable, entries, await knownPlayers(context, entries, actions));
}

/** An entry at a place of the programme, from 0. */
export type PlacedEntry = EntryValues & { readonly ordinal: number };

const members = sql`ordinal, participant_id, team_id, athlete_ids, placeholder_text, source_match_id, source_outcome,
  side, lane, bib, seed, bye, lineup`;
const values = sql`e.ordinal, e."participantId", e."teamId", e."athleteIds", e."placeholderText", e."sourceMatchId", e."sourceOutcome",
  e.side, e.lane, e.bib, e.seed, e.bye, e.lineup`;
const given = (entries: readonly PlacedEntry[]): Sql => sql`jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(id uuid,
  ordinal int, "participantId" uuid, "teamId" uuid, "athleteIds" uuid[], "placeholderText" text, "sourceMatchId" uuid, "sourceOutcome" text,
  side text, lane int, bib text, seed int, bye boolean, lineup jsonb)`;
const inOrder = (rows: MatchParticipantRow[]): MatchParticipantRow[] => rows.sort((a, b) => a.ordinal - b.ordinal);

/** Writes new entries of a match in one statement. */
export async function insertEntries(
  transaction: Queryable,
  match: MatchRow,
  entries: readonly PlacedEntry[],
): Promise<MatchParticipantRow[]> {
  if (entries.length === 0) return [];
  const rows = await transaction.query<MatchParticipantRow>(sql`/* matches.insertEntries */
    insert into match_participant (match_id, starts_at, published, ${members})
    select ${match.id}, ${match.startsAt}::timestamptz, ${match.published}::boolean, ${values} from ${given(entries)}
    returning ${matchParticipants.columns}`);
  return inOrder(rows);
}

/** Writes changed entries over their rows in one statement; their parts of a result stay. */
export async function updateEntries(
  transaction: Queryable,
  entries: readonly (PlacedEntry & { readonly id: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  await transaction.query(sql`/* matches.updateEntries */ update match_participant set (${members}) = (select ${values})
    from ${given(entries)} where match_participant.id = e.id`);
}

export async function deleteEntries(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(sql`/* matches.deleteEntries */ delete from match_participant where id = any(${[...ids]}::uuid[])`);
}
