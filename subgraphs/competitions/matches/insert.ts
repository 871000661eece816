/** Making a match: its facts, its places and the state it begins in. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { insertResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { entryViolations, entryOf, togetherViolations, type EntryFacts } from '../match-participants/rules.ts';
import { openMatchStatuses } from './rules.ts';
import { timeViolations, timesOf, type MatchTime } from './match-time.ts';
import type { CreateMatchInput, MatchStatus } from '../resolvers.generated.ts';
import { insertEntries } from '../match-participants/entries.ts';
import { groupViolation, type Frame, type Framing } from './frame.ts';
import { newSidesViolation } from '../match-participants/sides.ts';
import { matchResource, type MatchParticipantRow, type MatchRow } from './rows.ts';

/** A match with its entries, in the order of the programme. */
export interface MatchWithEntries {
  readonly match: MatchRow;
  readonly entries: readonly MatchParticipantRow[];
}

/** Ids that events of a match say beside its own. */
export const told = ({ seasonId, competitionId, stageId }: MatchRow) => ({ seasonId, competitionId, stageId });

type Facts = Omit<CreateMatchInput, 'seasonId' | 'stageId' | 'participants' | 'status' | 'result' | 'actions' | 'externalIds'>;

/** The members of a row that an input gives. */
export function factsOf({ group, date: _, startTime: __, timeZone: ___, ...facts }: Facts): Partial<MatchRow> {
  return { ...(facts as Partial<MatchRow>), ...(group === undefined ? {} : { groupName: group }) };
}

/** What of an input says when a match is, over what is known already. */
export function timeOf(input: Partial<MatchTime> | Facts, before: MatchTime): MatchTime {
  const { date, startTime, timeZone } = input;
  return {
    date: date === undefined ? before.date : date,
    startTime: startTime === undefined ? before.startTime : startTime,
    timeZone: timeZone === undefined ? before.timeZone : timeZone,
  };
}

const unknownTime: MatchTime = { date: null, startTime: null, timeZone: null };

function stateViolations({ status, result, startTime }: CreateMatchInput, { season }: Frame): (Violation | false)[] {
  const over = status === 'FINISHED' || status === 'AWARDED';
  const open = openMatchStatuses.includes(status ?? 'SCHEDULED');
  const takesOpen = season.status === 'PLANNED' || season.status === 'IN_PROGRESS';
  const takesAny = takesOpen || season.status === 'FINISHED';
  return [
    status === 'TIMED' &&
      !startTime && { pointer: '/startTime', code: 'required', detail: 'TIMED says that the time is known: give it.' },
    over &&
      !result && { pointer: '/result', code: 'required', detail: `A match that begins as ${status} comes with its result.` },
    !over &&
      !!result && { pointer: '/status', code: 'no_result_yet', detail: 'A match with a result is FINISHED or AWARDED: say so.' },
    open &&
      !takesOpen && {
        pointer: '/seasonId',
        code: 'season_over',
        detail: `The season is ${season.status}: it takes no match that is still to be played.`,
      },
    !open && !takesAny && { pointer: '/seasonId', code: 'season_over', detail: `The season is ${season.status}.` },
  ];
}

/** Makes a match of an account's season. Throws Problem validation_failed (422) with every fault, not_owner (403). */
export async function insertMatch(
  transaction: WriteTransaction,
  framing: Framing,
  input: CreateMatchInput,
  facts: EntryFacts,
): Promise<MatchWithEntries> {
  const { seasonId, stageId, participants, status, result: _, actions: __, externalIds, ...given } = input;
  const { season, stage } = await framing(seasonId, stageId);
  const time = timeOf(given, unknownTime);
  const inputs = participants ?? [];
  const frame = { sport: season.sport, seasonId, contestId: stage.contestId, matchId: null };
  const entries = inputs.map((entry) => entryOf(entry, facts));
  const pointers = inputs.map((_entry, index) => `/participants/${index}`);
  rejectInvalid([
    ...stateViolations(input, { season, stage }),
    groupViolation(given.group, stage),
    ...timeViolations(time),
    ...inputs.flatMap((entry, index) => entryViolations(entry, pointers[index] ?? '', frame, facts)),
    ...togetherViolations(entries, pointers),
    newSidesViolation(season.sport, stage.type, inputs.length, pointers[2] ?? ''),
  ]);
  const begins: MatchStatus = status ?? (time.startTime === null ? 'SCHEDULED' : 'TIMED');
  const row = {
    ...factsOf(given),
    ...timesOf(time, season.startDate),
    status: begins,
    accountId: season.accountId,
    published: season.published,
    sport: season.sport,
    seasonId,
    competitionId: season.competitionId,
    contestId: stage.contestId,
    stageId: stage.id,
  };
  const ids = { seasonId, competitionId: season.competitionId, stageId: stage.id };
  const match = await insertResource(transaction, matchResource, row, externalIds, ids);
  const placed = entries.map((entry, ordinal) => ({ ...entry, ordinal }));
  return { match, entries: await insertEntries(transaction, match, placed) };
}
