/** Keeps the best marks of athletes equal to what their counting results say, in the transaction of the write that touched them. */
import { isDeepStrictEqual } from 'node:util';
import { join, raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { betterMark, hasBestMarks, isEligible, listKey, markListOf, type BestMark, type MarkList } from './rules.ts';
import { counts, dayOf, type RankingFacts } from '../season-rankings/facts.ts';
import { kindOf } from '../season-rankings/rules-of.ts';
import type { Touched } from '../season-rankings/scope.ts';
import { markOf, readBest, readStored, type RuledList, type StoredMark } from './rows.ts';
import type { SeasonFrame } from '../season-rankings/season-facts.ts';

/** One athlete in one list, and the mark that it has from now on; undefined: to be found among all results. */
interface Settled {
  readonly athleteId: string;
  readonly list: RuledList;
  readonly mark: BestMark | null | undefined;
}

/** Lists are changed by one write at a time, whatever the season: always after the lock of the season, and in their order. */
async function lockLists(transaction: Queryable, lists: readonly MarkList[]): Promise<void> {
  if (lists.length === 0) return;
  const keys = [...new Set(lists.map((list) => `marks ${listKey(list)}`))].toSorted();
  await transaction.query(
    sql`/* bestMarks.lock */ select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`,
  );
}

/** The best mark of each athlete within one contest, and all athletes that are in it. */
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
      if (!list || !part || !marked.has(match.stageId) || !counts(match, {}) || !isEligible(part, list.rule)) continue;
      const mark = markOf({ athleteId, participantId, matchId: match.id, heldOn: dayOf(match) }, part);
      const known = best.get(athleteId);
      if (!known || betterMark(list.rule)(mark, known) < 0) best.set(athleteId, mark);
    }
  }
  return { best, entered: [...entered], matchIds: matches.map(({ id }) => id) };
}

const sameMark = ({ athleteId, value, unit, windMmPerS, matchId, participantId, heldOn }: BestMark) => ({
  athleteId,
  value,
  unit,
  windMmPerS,
  matchId,
  participantId,
  heldOn,
});

/**
 * What changes in the lists by one contest. A stored mark of another contest is beaten or stays. One of this contest stays where nothing here
 * is worse than before; else only all results of the athlete can tell.
 */
async function settle(transaction: Queryable, facts: RankingFacts, frame: SeasonFrame, contestId: string): Promise<Settled[]> {
  const contest = frame.contests.find(({ id }) => id === contestId);
  const list = contest && frame.season.published ? markListOf(frame.season, contest) : null;
  const { best, entered, matchIds } = bestOfContest(facts, contestId, list);
  const stored = await readStored(transaction, list, entered, matchIds);
  const isOwn = (mark: StoredMark): boolean => list !== null && listKey(mark) === listKey(list);
  const own = new Map(stored.filter(isOwn).map((mark) => [mark.athleteId, mark]));
  const here = new Set(matchIds);
  // the contest is another event, category or course now
  const moved = stored
    .filter((mark) => !isOwn(mark))
    .flatMap((mark): Settled[] => {
      const rule = markListOf({ ...frame.season, sport: mark.sport }, { ...mark, id: contestId, ageGroup: null })?.rule;
      return rule ? [{ athleteId: mark.athleteId, list: { ...mark, rule }, mark: undefined }] : [];
    });
  if (!list) return moved;
  const settled = [...new Set([...entered, ...own.keys()])].flatMap((athleteId): Settled[] => {
    const [before, mine] = [own.get(athleteId), best.get(athleteId)];
    if (!before) return mine ? [{ athleteId, list, mark: mine }] : [];
    const beats = mine !== undefined && betterMark(list.rule)(mine, before) <= 0;
    if (here.has(before.matchId) && !beats) return [{ athleteId, list, mark: undefined }];
    return beats && !isDeepStrictEqual(sameMark(before), mine) ? [{ athleteId, list, mark: mine }] : [];
  });
  return [...moved, ...settled];
}

async function write(transaction: Queryable, settled: readonly Settled[]): Promise<void> {
  const keys = settled.map(({ athleteId, list: { sport, eventCode, category, course } }) => ({
    athlete_id: athleteId,
    sport,
    event_code: eventCode,
    category,
    course,
  }));
  const rows = settled.flatMap(({ mark, list }, index) =>
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
  const gone = keys.filter((_, index) => !settled[index]?.mark);
  const key = sql`athlete_id uuid, sport text, event_code text, category text, course text`;
  const names = sql`athlete_id, sport, event_code, category, course, value, direction, unit, wind_mm_per_s, match_id, participant_id, held_on`;
  const sets = ['value', 'direction', 'unit', 'wind_mm_per_s', 'match_id', 'participant_id', 'held_on'];
  await transaction.query(sql`/* bestMarks.store */
    with gone as (delete from best_mark using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as g(${key})
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

/** Stores the best marks that the contests touched change. Marks of seasons that not everybody sees do not count. */
export async function refreshBestMarks(
  transaction: Queryable,
  facts: RankingFacts,
  frame: SeasonFrame,
  { contests }: Touched,
): Promise<void> {
  if (!hasBestMarks(frame.season.sport)) return;
  const marked = frame.contests.filter(({ id }) => contests.includes(id));
  await lockLists(
    transaction,
    marked.flatMap((contest) => markListOf(frame.season, contest) ?? []),
  );
  const each: Settled[] = [];
  for (const { id } of marked) each.push(...(await settle(transaction, facts, frame, id)));
  // two contests of one list: what they say of one athlete is settled by all results
  const settled = [...Map.groupBy(each, ({ athleteId, list }) => `${athleteId} ${listKey(list)}`).values()].flatMap(
    ([first, ...others]): Settled[] => (first ? [others.length > 0 ? { ...first, mark: undefined } : first] : []),
  );
  const found = new Map<string, ReadonlyMap<string, BestMark>>();
  const unknown = settled.filter(({ mark }) => mark === undefined);
  for (const [key, group] of Map.groupBy(unknown, ({ list }) => listKey(list))) {
    const athleteIds = group.map(({ athleteId }) => athleteId);
    const [first] = group;
    if (first) found.set(key, await readBest(transaction, first.list, athleteIds));
  }
  const known = settled.map(({ athleteId, list, mark }) => ({
    athleteId,
    list,
    mark: mark === undefined ? (found.get(listKey(list))?.get(athleteId) ?? null) : mark,
  }));
  if (known.length > 0) await write(transaction, known);
}
