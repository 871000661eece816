/** Reads best marks: the stored ones, and those computed from the counting results of athletes. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { MarkRule } from '../rankings/mark.ts';
import { countingStatuses, type ParticipantPart } from '../results/rows.ts';
import type { SeasonStructure } from '../season-rankings/season-facts.ts';
import { betterMark, eligibleMark, listKey, markListOf, type BestMark, type MarkList } from './rules.ts';

/** A list with the rule that compares its marks. */
export type RuledList = MarkList & { readonly rule: MarkRule };
export type StoredMark = BestMark & MarkList;

export const bestMarkColumns = sql`best_mark.athlete_id as "athleteId", best_mark.sport, best_mark.event_code as "eventCode", best_mark.category,
  best_mark.course, best_mark.value, best_mark.unit, best_mark.wind_mm_per_s as "windMmPerS", best_mark.match_id as "matchId",
  best_mark.participant_id as "participantId", best_mark.held_on as "heldOn"`;

/** The stored marks of athletes in one list, and those of the given matches in all lists. */
export function readStored(
  transaction: Queryable,
  list: MarkList | null,
  athleteIds: readonly string[],
  matchIds: readonly string[],
): Promise<StoredMark[]> {
  const ofList = list
    ? sql`athlete_id = any(${[...athleteIds]}::uuid[]) and sport = ${list.sport} and event_code = ${list.eventCode}
        and category = ${list.category} and course = ${list.course}`
    : sql`false`;
  return transaction.query<StoredMark>(sql`/* bestMarks.stored */ select ${bestMarkColumns} from best_mark where ${ofList}
    union select ${bestMarkColumns} from best_mark where match_id = any(${[...matchIds]}::uuid[])`);
}

interface Counting extends BestMark {
  readonly part: ParticipantPart;
  readonly season: SeasonStructure['season'];
  readonly contest: SeasonStructure['contests'][number];
}

/** The best of all counting results of each athlete in an event, computed from the results. */
export async function readBest(
  transaction: Queryable,
  list: RuledList,
  athleteIds: readonly string[],
): Promise<ReadonlyMap<string, BestMark>> {
  const ids = [...athleteIds];
  const rows = await transaction.query<Counting>(sql`/* bestMarks.counting */
    select participant.athlete_id as "athleteId", entry.participant_id as "participantId", entry.match_id as "matchId", entry.result as part,
      coalesce(match.date, match.starts_at::date) as "heldOn",
      jsonb_build_object('sport', season.sport, 'category', competition.category) as season,
      jsonb_build_object('id', contest.id, 'eventCode', contest.event_code, 'category', contest.category, 'course', contest.course,
        'sportClass', contest.sport_class, 'ageGroup', coalesce(contest.age_group, competition.age_group)) as contest
    from match_participant entry
    join participant on participant.id = entry.participant_id and participant.athlete_id = any(${ids}::uuid[])
    join result on result.match_id = entry.match_id and result.status = any(${[...countingStatuses]}::text[])
    join match on match.id = entry.match_id and match.published
    join stage on stage.id = match.stage_id and stage.type in ('QUALIFYING', 'HEATS', 'SEMIFINAL', 'FINAL', 'SWIM_OFF')
    join contest on contest.id = match.contest_id and contest.event_code = ${list.eventCode}
    join season on season.id = match.season_id and season.sport = ${list.sport}
    join competition on competition.id = season.competition_id
    where entry.athlete_ids && ${ids}::uuid[] and entry.result is not null`);
  const best = new Map<string, BestMark>();
  const better = betterMark(list.rule);
  for (const { part, season, contest, ...row } of rows) {
    const own = markListOf(season, contest);
    const eligible = own && listKey(own) === listKey(list) ? eligibleMark(part, own.rule) : null;
    if (!eligible) continue;
    const mark = { ...row, ...eligible };
    const known = best.get(row.athleteId);
    if (!known || better(mark, known) < 0) best.set(row.athleteId, mark);
  }
  return best;
}
