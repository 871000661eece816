/** Changes the facts of a match. A new time also moves its entries and its result in lists. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow, patchResource, type ChangeRecord } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { CreateMatchInput, UpdateMatchInput } from '../generated/resolvers.ts';
import { stageResource, type StageRow } from '../stages/rows.ts';
import { matchEventIds, timeOf, valuesOf } from './insert.ts';
import { timesOf, timeViolations, type MatchTime } from './match-time.ts';
import { futureViolation, outsideViolation } from './plausible-time.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { groupViolation } from './season-stage.ts';

/** The members that a patch can set. A batch item can set the start, too. */
export type MatchFactsInput = UpdateMatchInput & Pick<CreateMatchInput, 'startTime'>;

async function readStage(transaction: Queryable, id: string): Promise<StageRow> {
  const [stage] = await transaction.query<StageRow>(
    sql`/* matches.stage */ select ${stageResource.table.columns} from stage where id = ${id}`,
  );
  if (!stage) throw new Error(`stage ${id} has matches but does not exist`);
  return stage;
}

interface SeasonDates {
  readonly startDate: string;
  readonly endDate: string;
}

async function readSeasonDates(transaction: Queryable, seasonId: string): Promise<SeasonDates> {
  const [season] = await transaction.query<SeasonDates>(
    sql`/* matches.seasonDates */ select start_date as "startDate", end_date as "endDate" from season where id = ${seasonId}`,
  );
  if (!season) throw new Error(`season ${seasonId} has matches but does not exist`);
  return season;
}

/** Violations of a changed time of a match: far outside of its season, or in the future for a finished match. */
async function changedTimeViolations(
  transaction: Queryable,
  before: MatchRow,
  time: MatchTime,
): Promise<(Violation | null | false)[]> {
  const violations = timeViolations(time);
  if (violations.some(Boolean)) return violations;
  if (time.date === before.date && sameInstant(time.startTime, before.startTime)) return [];
  const season = await readSeasonDates(transaction, before.seasonId);
  return [outsideViolation(time, season), before.status === 'FINISHED' && futureViolation(time, season)];
}

const sameInstant = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));

/** Copies the sort time of a match to its entries and its result, whose indexes contain it. */
async function moveInLists(transaction: Queryable, before: MatchRow, after: MatchRow): Promise<void> {
  if (before.startsAt === after.startsAt) return;
  await transaction.query(sql`/* matches.moveInLists */ with entry as (
      update match_participant set starts_at = ${after.startsAt} where match_id = ${after.id}
    ) update result set starts_at = ${after.startsAt} where match_id = ${after.id}`);
}

/** Moves undated matches in lists when the first day of their season changes. */
export async function moveUndatedMatches(transaction: Queryable, seasonId: string, startDate: string): Promise<void> {
  await transaction.query(sql`/* matches.moveUndated */ with moved as (
      update match set starts_at = ${startDate}::timestamp at time zone coalesce(time_zone, 'UTC')
      where season_id = ${seasonId} and date is null and start_time is null returning id, starts_at
    ), entry as (
      update match_participant e set starts_at = moved.starts_at from moved where e.match_id = moved.id
    ) update result r set starts_at = moved.starts_at from moved where r.match_id = moved.id`);
}

/** The time columns of a match. */
async function timeColumns(transaction: Queryable, before: MatchRow, time: MatchTime) {
  const needsSeason = time.startTime === null && time.date === null;
  return timesOf(time, needsSeason ? (await readSeasonDates(transaction, before.seasonId)).startDate : '1970-01-01');
}

/** The time of a match after a patch. The date is derived again when the start or the time zone changes and no date is given. */
function timeAfter(given: MatchFactsInput, before: MatchRow): MatchTime {
  const time = timeOf(given, before);
  const isDerived = time.startTime !== null && !given.date && (given.startTime !== undefined || given.timeZone !== undefined);
  return isDerived ? { ...time, date: null } : time;
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
        detail: 'The date follows from `startTime` and cannot be deleted.',
      },
    ...(await changedTimeViolations(transaction, before, time)),
  ]);
  const values = { ...valuesOf(given), ...(await timeColumns(transaction, before, time)) };
  const after = await patchResource(transaction, matchResource, before, values, externalIds, matchEventIds(before));
  await moveInLists(transaction, before, after);
  return after;
}

/** Sets the start of a locked match as a transition. Throws Problem validation_failed (422). */
export async function rescheduleMatch(
  transaction: WriteTransaction,
  before: MatchRow,
  { startTime, timeZone }: { startTime: string; timeZone: string | null },
  note: ChangeRecord,
): Promise<MatchRow> {
  const time = { date: null, startTime, timeZone };
  rejectInvalid(await changedTimeViolations(transaction, before, time));
  const values = { ...(await timeColumns(transaction, before, time)), status: 'TIMED', statusReason: null } as const;
  const after = await changeRow(transaction, matchResource, before, values, note);
  await moveInLists(transaction, before, after);
  return after;
}
