/** Writes a result with the match it is of: the head, each entry's part, and the version whole. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { EventType } from '../../../schema/events.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow, insertResource } from '../../../platform/writes/resource.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { decidedMatchStatuses } from '../matches/rules.ts';
import { resultTransitions } from './rules.ts';
import type { GivenResult, MatchFacts, WholeResult } from './facts.ts';
import { readResult } from './read-result.ts';
import type { ResultStatus, SeasonStatus } from '../resolvers.generated.ts';
import { refuseOver, requireBegun } from '../matches/match-states.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { RankingChange } from '../season-rankings/rows.ts';
import type { Settlement } from './settlement.ts';
import { countingStatuses, resultResource, type ParticipantPart, type ResultRow } from './rows.ts';

interface FactsRow {
  readonly eventCode: string | null;
  readonly stageType: MatchFacts['stageType'];
  readonly bestOf: number | null;
  readonly seasonStatus: SeasonStatus;
  readonly entries: readonly { readonly participantId: string | null; readonly part: ParticipantPart | null }[];
}

/** A result as it is now, with what it is judged by; `row` is null where there is none. */
export interface ResultState {
  readonly row: ResultRow | null;
  readonly parts: readonly ParticipantPart[];
  readonly facts: MatchFacts;
  readonly seasonStatus: SeasonStatus;
}

/** Without a result its members are null. */
type HeldRow = FactsRow & (ResultRow | { readonly [Member in keyof ResultRow]: null });

/** Reads the result of a match that the transaction holds locked: so nobody else writes it meanwhile. */
export async function holdResult(transaction: WriteTransaction, match: MatchRow): Promise<ResultState> {
  const [held] = await transaction.query<HeldRow>(sql`/* results.hold */
    select ${resultResource.table.columns}, c.event_code as "eventCode", s.type as "stageType", s.best_of as "bestOf",
      season.status as "seasonStatus", coalesce((
      select jsonb_agg(jsonb_build_object('participantId', participant_id, 'part', result) order by ordinal)
      from match_participant where match_id = ${match.id} and not bye), '[]') as entries
    from contest c join stage s on s.id = ${match.stageId} join season on season.id = c.season_id left join result on result.match_id = ${match.id}
    where c.id = ${match.contestId}`);
  if (!held) throw new Error(`match ${match.id} has no stage`);
  const { eventCode, stageType, bestOf, seasonStatus, entries, ...row } = held;
  return {
    row: row.id === null ? null : row,
    parts: entries.flatMap(({ part }) => part ?? []),
    seasonStatus,
    facts: {
      sport: match.sport,
      eventCode,
      stageType,
      // Of a tie the stage counts matches, of a match alone its sets.
      bestOf: match.format?.bestOf ?? (match.tieId === null ? bestOf : null),
      inTie: match.tieId !== null,
      participantIds: entries.map(({ participantId }) => participantId),
    },
  };
}

interface Written {
  readonly status: ResultStatus;
  readonly reason?: string | null;
  readonly certifiedAt?: string;
}

/** The change of a result, and the event that tells of it. */
interface ResultChange {
  readonly action: string;
  readonly event: EventType;
}

/**
 * Writes the next version of a result (the first one where `state.row` is null): all of it, or only its status where `whole` is null.
 * The match is locked. Rankings and waiting entries follow when the settlement is settled.
 */
export async function writeResult(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  state: ResultState,
  whole: WholeResult | null,
  { action, event, ...head }: Written & ResultChange,
): Promise<ResultRow> {
  const parts = whole?.parts ?? state.parts;
  const values: Partial<ResultRow> = { ...head, ...(whole && { duration: whole.duration, endedBy: whole.endedBy }) };
  const { accountId, published, id: matchId, seasonId, contestId, stageId, sport, startsAt } = match;
  const previousVersion = state.row?.version ?? null;
  const changes: RankingChange[] = [];
  const data = { matchId, seasonId, version: (previousVersion ?? 0) + 1, previousVersion, changes };
  const row = state.row
    ? await changeRow(transaction, resultResource, state.row, values, { action, event, data })
    : await insertResource(
        transaction,
        { ...resultResource, created: event },
        { ...values, accountId, published, matchId, seasonId, contestId, stageId, sport, startsAt },
        null,
        data,
      );
  await keep(transaction, row, parts, whole !== null);
  const counted = [state.row?.status, row.status].some((status) => status && countingStatuses.includes(status));
  settlement.touch(match);
  if (counted) settlement.decide(matchId);
  settlement.tell({ participantIds: parts.map(({ participantId }) => participantId), changes });
  return row;
}

/** Keeps the version whole; an entry that the result does not name has no part in it. */
async function keep(
  transaction: WriteTransaction,
  row: ResultRow,
  parts: readonly ParticipantPart[],
  anew: boolean,
): Promise<void> {
  await transaction.query(sql`/* results.keepVersion */ with part as (
      select p from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) as p
    ), entry as (
      update match_participant e set result = (select p from part where p ->> 'participantId' = e.participant_id::text)
      where e.match_id = ${row.matchId} and ${anew}
    )
    insert into result_version (result_id, version, at, status, reason, duration, ended_by, participants)
    values (${row.id}, ${row.version}, ${row.updatedAt}, ${row.status}, ${row.reason}, ${row.duration},
      ${row.endedBy && JSON.stringify(row.endedBy)}::jsonb, ${JSON.stringify(parts)}::jsonb)`);
}

/** Whether what is given is what there is, whatever it counts for. */
export function sameAs(state: ResultState, whole: WholeResult): boolean {
  const { row, parts } = state;
  return (
    row !== null &&
    row.duration === whole.duration &&
    isDeepStrictEqual(row.endedBy, whole.endedBy) &&
    isDeepStrictEqual(parts, whole.parts)
  );
}

/** Throws Problem invalid_transition (409) for a match whose result cannot count yet. */
export function requireDecided(match: MatchRow, row: ResultRow | null): void {
  if (decidedMatchStatuses.includes(match.status)) return;
  const detail = `The match is ${match.status}: finish, award or abandon it before its result is official.`;
  const allowed = row ? allowedTransitions(resultTransitions, row.status, ['OWNER']) : [];
  throw new Problem('invalid_transition', detail, {
    state: row?.status ?? null,
    allowedTransitions: allowed.filter((verb) => verb !== 'certify'),
  });
}

/** Throws Problem invalid_transition (409) for a result that is official already, or annulled: it is corrected, not overwritten. */
export function requireProvisional(row: ResultRow): void {
  if (row.status === 'PROVISIONAL') return;
  throw new Problem('invalid_transition', `The result is ${row.status}: correct it, it is not overwritten.`, {
    state: row.status,
    allowedTransitions: allowedTransitions(resultTransitions, row.status, ['OWNER']),
  });
}

export interface RecordedResult {
  readonly before: ResultRow | null;
  /** The same version as before where nothing changed. */
  readonly after: ResultRow;
}

/**
 * Writes the result that comes with a match or in a batch. The match is locked, in the state it shall be in, with its entries written.
 * An equal result stays as it is, and becomes official where it should be; a different one takes the place of a provisional one.
 * Throws Problem validation_failed (422; faults point below `pointer`), and invalid_transition (409) where a different one is official
 * already, the match has not begun, or it is not over and the result should count, or the season was called off.
 */
export async function recordResult(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  given: GivenResult,
  status: 'PROVISIONAL' | 'OFFICIAL',
  pointer = '',
): Promise<RecordedResult> {
  const state = await holdResult(transaction, match);
  const { whole, violations } = readResult(given, state.facts, pointer);
  rejectInvalid(violations);
  const before = state.row;
  const same = sameAs(state, whole);
  const reached = before !== null && (before.status === status || countingStatuses.includes(before.status));
  if (before && same && reached) return { before, after: before };
  requireBegun(match, 'result');
  refuseOver(state.seasonStatus);
  if (before) requireProvisional(before);
  const official = status === 'OFFICIAL';
  if (official) requireDecided(match, before);
  const change = {
    action: official ? 'certify' : before ? 'updated' : 'created',
    event: official ? 'result.certified' : 'result.recorded',
  } as const;
  const head = { status, ...(official && { certifiedAt: new Date().toISOString() }) };
  const after = await writeResult(transaction, settlement, match, state, same ? null : whole, { ...head, ...change });
  return { before, after };
}
