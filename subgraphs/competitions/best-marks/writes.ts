/** Keeps the stored best marks consistent with the counting results, in the transaction that changes the results. */
import { isDeepStrictEqual } from 'node:util';
import { join, raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { counts, dayOf, type RankingFacts } from '../season-rankings/facts.ts';
import { kindOf } from '../season-rankings/effective-rules.ts';
import type { Touched } from '../season-rankings/scope.ts';
import type { SeasonStructure } from '../season-rankings/season-facts.ts';
import { betterMark, eligibleMark, hasBestMarks, listKey, markListOf, type BestMark, type MarkList } from './rules.ts';
import { readBest, readStored, type RuledList, type StoredMark } from './stored-marks.ts';

/** The new mark of an athlete in a list; undefined: it must be computed from all results. */

interface NewMark {
  readonly athleteId: string;
  readonly list: RuledList;
  readonly mark: BestMark | null | undefined;
}

/** Serializes writes to the lists. The locks are taken after the lock of the season, and in a fixed order. */
async function lockLists(transaction: Queryable, lists: readonly MarkList[]): Promise<void> {
  if (lists.length === 0) return;
  const keys = [...new Set(lists.map((list) => `marks ${listKey(list)}`))].toSorted();
  await transaction.query(
    sql`/* bestMarks.lock */ select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`,
  );
}

/** The best mark of each athlete within one contest, and all athletes of the contest. */
export function bestOfContest(facts: RankingFacts, contestId: string, list: RuledList | null) {
  const athletes = new Map(facts.participants.flatMap(({ id, athleteId }) => (athleteId === null ? [] : [[id, athleteId]])));
  const marked = new Set(facts.stages.filter((stage) => kindOf(facts, stage) === 'MARK').map(({ id }) => id));
  const matches = facts.matches.filter((match) => match.contestId === contestId);
  const best = new Map<string, BestMark>();
  const entered = new Set<string>();
  for (const match of matches) {
    for (const { participantId, part } of match.entries) {
      const athleteId = participantId === null ? undefined : athletes.get(participantId);
      if (participantId === null || athleteId === undefined) continue;
      entered.add(athleteId);
      if (!list || !part || !marked.has(match.stageId) || !counts(match, {})) continue;
      const eligible = eligibleMark(part, list.rule);
      if (!eligible) continue;
      const mark = { athleteId, participantId, matchId: match.id, heldOn: dayOf(match), ...eligible };
      const known = best.get(athleteId);
      if (!known || betterMark(list.rule)(mark, known) < 0) best.set(athleteId, mark);
    }
  }
  return { best, entered: [...entered], matchIds: matches.map(({ id }) => id) };
}

const comparableMark = ({ athleteId, value, unit, windMmPerS, matchId, participantId, heldOn }: BestMark) => ({
  athleteId,
  value,
  unit,
  windMmPerS,
  matchId,
  participantId,
  heldOn,
});

/**
 * The changes of the lists by one contest. A stored mark of another contest stays or is beaten. A stored mark of this contest stays if no result
 * of the contest got worse; otherwise it must be computed from all results of the athlete.
 */
async function changesOf(
  transaction: Queryable,
  facts: RankingFacts,
  structure: SeasonStructure,
  contestId: string,
): Promise<NewMark[]> {
  const contest = structure.contests.find(({ id }) => id === contestId);
  const list = contest && structure.season.published ? markListOf(structure.season, contest) : null;
  const { best, entered, matchIds } = bestOfContest(facts, contestId, list);
  const stored = await readStored(transaction, list, entered, matchIds);
  const isOwn = (mark: StoredMark): boolean => list !== null && listKey(mark) === listKey(list);
  const own = new Map(stored.filter(isOwn).map((mark) => [mark.athleteId, mark]));
  const here = new Set(matchIds);
  // The contest now has another event, category or course.
  const moved = stored
    .filter((mark) => !isOwn(mark))
    .flatMap((mark): NewMark[] => {
      const rule = markListOf({ ...structure.season, sport: mark.sport }, { ...mark, id: contestId, ageGroup: null })?.rule;
      return rule ? [{ athleteId: mark.athleteId, list: { ...mark, rule }, mark: undefined }] : [];
    });
  if (!list) return moved;
  const changed = [...new Set([...entered, ...own.keys()])].flatMap((athleteId): NewMark[] => {
    const [before, mark] = [own.get(athleteId), best.get(athleteId)];
    if (!before) return mark ? [{ athleteId, list, mark }] : [];
    const beats = mark !== undefined && betterMark(list.rule)(mark, before) <= 0;
    if (here.has(before.matchId) && !beats) return [{ athleteId, list, mark: undefined }];
    return beats && !isDeepStrictEqual(comparableMark(before), mark) ? [{ athleteId, list, mark }] : [];
  });
  return [...moved, ...changed];
}

async function write(transaction: Queryable, changes: readonly NewMark[]): Promise<void> {
  const keys = changes.map(({ athleteId, list: { sport, eventCode, category, course } }) => ({
    athlete_id: athleteId,
    sport,
    event_code: eventCode,
    category,
    course,
  }));
  const rows = changes.flatMap(({ mark, list }, index) =>
    mark
      ? [
          {
            ...keys[index],
            value: mark.value,
            direction: list.rule.direction === 'LOWER_IS_BETTER' ? 1 : -1,
            unit: mark.unit,
            wind_mm_per_s: mark.windMmPerS,
            match_id: mark.matchId,
            participant_id: mark.participantId,
            held_on: mark.heldOn,
          },
        ]
      : [],
  );
  const deleted = keys.filter((_, index) => !changes[index]?.mark);
  const key = sql`athlete_id uuid, sport text, event_code text, category text, course text`;
  const names = sql`athlete_id, sport, event_code, category, course, value, direction, unit, wind_mm_per_s, match_id, participant_id, held_on`;
  const sets = ['value', 'direction', 'unit', 'wind_mm_per_s', 'match_id', 'participant_id', 'held_on'];
  await transaction.query(sql`/* bestMarks.store */
    with deleted as (delete from best_mark using jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) as g(${key})
      where best_mark.athlete_id = g.athlete_id and best_mark.sport = g.sport and best_mark.event_code = g.event_code
        and best_mark.category = g.category and best_mark.course = g.course)
    insert into best_mark (${names}) select ${names}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${key}, value bigint, direction int, unit text, wind_mm_per_s int,
      match_id uuid, participant_id uuid, held_on date)
    on conflict (athlete_id, sport, event_code, category, course)
      do update set ${join(
        sets.map((name) => sql`${raw(name)} = excluded.${raw(name)}`),
        ', ',
      )}`);
}

/** Stores the changes of best marks by the touched contests. Marks of unpublished seasons do not count. */
export async function refreshBestMarks(
  transaction: Queryable,
  facts: RankingFacts,
  structure: SeasonStructure,
  { contests }: Touched,
): Promise<void> {
  if (!hasBestMarks(structure.season.sport)) return;
  const contestsOfMarks = structure.contests.filter(({ id }) => contests.includes(id));
  await lockLists(
    transaction,
    contestsOfMarks.flatMap((contest) => markListOf(structure.season, contest) ?? []),
  );
  const each: NewMark[] = [];
  for (const { id } of contestsOfMarks) each.push(...(await changesOf(transaction, facts, structure, id)));
  // Where several contests change the mark of an athlete in one list, it is computed from all results.
  const changes = [...Map.groupBy(each, ({ athleteId, list }) => `${athleteId} ${listKey(list)}`).values()].flatMap(
    ([first, ...others]): NewMark[] => (first ? [others.length > 0 ? { ...first, mark: undefined } : first] : []),
  );
  const computed = new Map<string, ReadonlyMap<string, BestMark>>();
  const unknown = changes.filter(({ mark }) => mark === undefined);
  for (const [key, group] of Map.groupBy(unknown, ({ list }) => listKey(list))) {
    const athleteIds = group.map(({ athleteId }) => athleteId);
    const [first] = group;
    if (first) computed.set(key, await readBest(transaction, first.list, athleteIds));
  }
  const known = changes.map(({ athleteId, list, mark }) => ({
    athleteId,
    list,
    mark: mark === undefined ? (computed.get(listKey(list))?.get(athleteId) ?? null) : mark,
  }));
  if (known.length > 0) await write(transaction, known);
}
