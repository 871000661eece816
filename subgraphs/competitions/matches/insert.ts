/** Inserts a match with its entries and its initial state. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { insertResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { insertEntries } from '../match-participants/entries.ts';
import { combinedViolations, entryViolations, type EntryFacts } from '../match-participants/rules.ts';
import { entryOf } from '../match-participants/values.ts';
import { namedPlayerViolations } from '../match-participants/named-players.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import { newSidesViolation } from '../match-participants/sides.ts';
import type { CreateMatchInput, MatchStatus } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { timesOf, timeViolations, type MatchTime } from './match-time.ts';
import { requireNoDuplicate } from './duplicates.ts';
import { futureViolation, outsideViolation } from './plausible-time.ts';
import type { SeasonRow } from '../seasons/rows.ts';
import { openMatchStatuses } from './rules.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { subMatchSideViolations } from './sub-match-sides.ts';
import { deleteClock, lockParent, subMatchViolations } from './sub-matches.ts';
import { groupViolation, type SeasonStage, type SeasonStageLoader } from './season-stage.ts';

/** A match with its entries in program order. */
export interface MatchWithEntries {
  readonly match: MatchRow;
  readonly entries: readonly MatchParticipantRow[];
}

/** Ids that every event of a match contains. */
export const matchEventIds = ({ seasonId, competitionId, stageId }: MatchRow) => ({ seasonId, competitionId, stageId });

type Facts = Omit<
  CreateMatchInput,
  'seasonId' | 'stageId' | 'parentMatchId' | 'participants' | 'status' | 'result' | 'actions' | 'externalIds'
>;

/** The row values of an input, without its time. */
export function valuesOf(input: Facts): Partial<MatchRow> {
  const { group, round, matchday, leg, tieId, venue, format, officials, attendance, titles, ...rest } = input;
  const { date: _, startTime: __, timeZone: ___, ...unmapped } = rest;
  return rowValues<MatchRow>(
    { groupName: group, round, matchday, leg, tieId, venue, format, officials, attendance, titles },
    unmapped,
  );
}

/** The time of a match after applying an input to its current time. */
export function timeOf(input: Partial<MatchTime> | Facts, before: MatchTime): MatchTime {
  const { date, startTime, timeZone } = input;
  return {
    date: date === undefined ? before.date : date,
    startTime: startTime === undefined ? before.startTime : startTime,
    timeZone: timeZone === undefined ? before.timeZone : timeZone,
  };
}

/** The place of a new row in the program of its stage. */
const programOf = (row: Partial<MatchRow> & Pick<MatchRow, 'stageId'>) => {
  const {
    stageId,
    startTime = null,
    groupName = null,
    round = null,
    matchday = null,
    leg = null,
    tieId = null,
    parentId = null,
  } = row;
  return { stageId, startTime, groupName, round, matchday, leg, tieId, parentId };
};

const unknownTime: MatchTime = { date: null, startTime: null, timeZone: null };

function stateViolations({ status, result, startTime }: CreateMatchInput, { season }: SeasonStage): (Violation | false)[] {
  const isOver = status === 'FINISHED' || status === 'AWARDED';
  const isOpen = openMatchStatuses.includes(status ?? 'SCHEDULED');
  const acceptsOpen = season.status === 'PLANNED' || season.status === 'IN_PROGRESS';
  const acceptsAny = acceptsOpen || season.status === 'FINISHED';
  return [
    status === 'TIMED' &&
      !startTime && { pointer: '/startTime', code: 'required', detail: '`startTime` is required for the status TIMED.' },
    isOver &&
      !result && { pointer: '/result', code: 'required', detail: `\`result\` is required for the initial status ${status}.` },
    !isOver &&
      !!result && {
        pointer: '/status',
        code: 'no_result_yet',
        detail: 'A match with a result must have the status FINISHED or AWARDED.',
      },
    isOpen &&
      !acceptsOpen && {
        pointer: '/seasonId',
        code: 'season_over',
        detail: `The season is ${season.status}. It accepts no matches that are still to be played.`,
      },
    !isOpen &&
      !acceptsAny && {
        pointer: '/seasonId',
        code: 'season_over',
        detail: `The season is ${season.status}. It accepts no matches.`,
      },
  ];
}

/** Violations of the time of a new match. */
function newTimeViolations(
  time: MatchTime,
  season: SeasonRow,
  status: MatchStatus | null | undefined,
): (Violation | null | false)[] {
  const violations = timeViolations(time);
  if (violations.some(Boolean)) return violations;
  return [outsideViolation(time, season), status === 'FINISHED' && futureViolation(time, season)];
}

/** Inserts a match. Throws Problem validation_failed (422) with all violations, or not_owner (403). */
export async function insertMatch(
  transaction: WriteTransaction,
  load: SeasonStageLoader,
  input: CreateMatchInput,
  facts: EntryFacts,
): Promise<MatchWithEntries> {
  const { seasonId, stageId, parentMatchId: _, participants, status, result: __, actions: ___, externalIds, ...given } = input;
  const parent = await lockParent(transaction, input);
  const { season, stage } = await load(seasonId, stageId ?? (parent?.seasonId === seasonId ? parent.stageId : null));
  const time = timeOf(given, unknownTime);
  const inputs = participants ?? [];
  const context = { sport: season.sport, seasonId, contestId: stage.contestId, matchId: null };
  const entries = inputs.map((entry) => entryOf(entry, facts));
  const pointers = inputs.map((_entry, index) => `/participants/${index}`);
  rejectInvalid([
    ...stateViolations(input, { season, stage }),
    ...(parent ? await subMatchViolations(transaction, parent, input) : []),
    ...(await subMatchSideViolations(
      transaction,
      parent?.id ?? null,
      inputs,
      facts.participants,
      pointers.map((pointer) => `${pointer}/participantId`),
    )),
    groupViolation(given.group, stage),
    ...newTimeViolations(time, season, status),
    ...inputs.flatMap((entry, index) => entryViolations(entry, pointers[index] ?? '', context, facts)),
    ...combinedViolations(entries, pointers),
    ...(await namedPlayerViolations(
      transaction,
      stage.contestId,
      inputs.map(({ lineup }) => lineup),
      pointers.map((pointer) => `${pointer}/lineup`),
    )),
    newSidesViolation(season.sport, stage.type, inputs.length, pointers[2] ?? ''),
  ]);
  const initial: MatchStatus = status ?? (time.startTime === null ? 'SCHEDULED' : 'TIMED');
  const row = {
    ...(parent && { parentId: parent.id, groupName: parent.groupName, matchday: parent.matchday }),
    ...valuesOf(given),
    ...timesOf(time, season.startDate),
    status: initial,
    accountId: season.accountId,
    published: season.published,
    sport: season.sport,
    seasonId,
    competitionId: season.competitionId,
    contestId: stage.contestId,
    stageId: stage.id,
  };
  const ids = { seasonId, competitionId: season.competitionId, stageId: stage.id };
  await requireNoDuplicate(
    transaction,
    programOf(row),
    entries.map(({ participantId }) => participantId),
  );
  if (parent?.clock) await deleteClock(transaction, parent.id);
  const match = await insertResource(transaction, matchResource, row, externalIds, ids);
  const placed = entries.map((entry, ordinal) => ({ ...entry, ordinal }));
  return { match, entries: await insertEntries(transaction, match, placed) };
}
