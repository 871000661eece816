/** Changing the facts of a match: what follows from its time goes with them, to its entries and its result. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow, patchResource, type ChangeRecord } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { timeViolations, timesOf, type MatchTime } from './match-time.ts';
import type { CreateMatchInput, UpdateMatchInput } from '../resolvers.generated.ts';
import { groupViolation } from './frame.ts';
import { factsOf, timeOf, told } from './insert.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { stageResource, type StageRow } from '../season-parts/rows.ts';

/** Facts of a match that a patch may give: a batch may tell of another start, too. */
export type MatchFactsInput = UpdateMatchInput & Pick<CreateMatchInput, 'startTime'>;

async function readStage(transaction: Queryable, id: string): Promise<StageRow> {
  const [stage] = await transaction.query<StageRow>(
    sql`/* matches.stage */ select ${stageResource.table.columns} from stage where id = ${id}`,
  );
  if (!stage) throw new Error(`there is no stage ${id}, and matches of it`);
  return stage;
}

async function seasonBegins(transaction: Queryable, seasonId: string): Promise<string> {
  const [season] = await transaction.query<{ startDate: string }>(
    sql`/* matches.seasonBegins */ select start_date as "startDate" from season where id = ${seasonId}`,
  );
  if (!season) throw new Error(`there is no season ${seasonId}, and matches of it`);
  return season.startDate;
}

/** Takes the moment of a match to where lists of its entries and results are in order of it. */
async function moveInLists(transaction: Queryable, before: MatchRow, after: MatchRow): Promise<void> {
  if (before.startsAt === after.startsAt) return;
  await transaction.query(sql`/* matches.moveInLists */ with entry as (
      update match_participant set starts_at = ${after.startsAt} where match_id = ${after.id}
    ) update result set starts_at = ${after.startsAt} where match_id = ${after.id}`);
}

/** A season that begins on another day takes its matches without a day along, in the lists of all that is theirs. */
export async function moveUndated(transaction: Queryable, seasonId: string, startDate: string): Promise<void> {
  await transaction.query(sql`/* matches.moveUndated */ with moved as (
      update match set starts_at = ${startDate}::timestamp at time zone coalesce(time_zone, 'UTC')
      where season_id = ${seasonId} and date is null and start_time is null returning id, starts_at
    ), entry as (
      update match_participant e set starts_at = moved.starts_at from moved where e.match_id = moved.id
    ) update result r set starts_at = moved.starts_at from moved where r.match_id = moved.id`);
}

/** The columns of a match at a time. */
async function timed(transaction: Queryable, before: MatchRow, time: MatchTime) {
  const needsSeason = time.startTime === null && time.date === null;
  return timesOf(time, needsSeason ? await seasonBegins(transaction, before.seasonId) : '1970-01-01');
}

/** When a match is after a patch: its day follows from its start anew where that, or the place, is told. */
function timeAfter(given: MatchFactsInput, before: MatchRow): MatchTime {
  const time = timeOf(given, before);
  const follows = time.startTime !== null && !given.date && (given.startTime !== undefined || given.timeZone !== undefined);
  return follows ? { ...time, date: null } : time;
}

/** Applies a merge patch to a locked match. Throws Problem validation_failed (422). */
export async function patchMatch(transaction: WriteTransaction, before: MatchRow, input: MatchFactsInput): Promise<MatchRow> {
  const { externalIds, ...given } = input;
  const time = timeAfter(given, before);
  const stage = given.group ? await readStage(transaction, before.stageId) : null;
  rejectInvalid([
    stage && groupViolation(given.group, stage),
    given.date === null &&
      given.startTime === undefined &&
      time.startTime !== null && {
        pointer: '/date',
        code: 'follows_from_start',
        detail: 'The day follows from the start of the match.',
      },
    ...timeViolations(time),
  ]);
  const values = { ...factsOf(given), ...(await timed(transaction, before, time)) };
  const after = await patchResource(transaction, matchResource, before, values, externalIds, told(before));
  await moveInLists(transaction, before, after);
  return after;
}

/** Sets when a locked match starts, as a step of its own. Throws Problem validation_failed (422). */
export async function rescheduleMatch(
  transaction: WriteTransaction,
  before: MatchRow,
  { startTime, timeZone }: { startTime: string; timeZone: string | null },
  moved: ChangeRecord,
): Promise<MatchRow> {
  const time = { date: null, startTime, timeZone };
  rejectInvalid(timeViolations(time));
  const values = { ...(await timed(transaction, before, time)), status: 'TIMED', statusReason: null } as const;
  const after = await changeRow(transaction, matchResource, before, values, moved);
  await moveInLists(transaction, before, after);
  return after;
}
