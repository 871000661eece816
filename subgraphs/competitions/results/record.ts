/** Writes a result: the row, the part of each entry, and the complete version. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { EventType } from '../../../schema/events.ts';
import { goalTypes, scoresGoals } from '../../../schema/action-types.ts';
import { sportsWithoutDraw } from '../../../schema/sports.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow, insertResource } from '../../../platform/writes/resource.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { goalsOf, type Scoring } from '../match-actions/goals.ts';
import { decidedMatchStatuses } from '../matches/rules.ts';
import type { MatchRow } from '../matches/rows.ts';
import { scoresOf, subMatchScoreOf, type SubMatchScore } from '../matches/sub-matches.ts';
import { requireStarted } from '../matches/started.ts';
import type { InitialResultStatus, MatchDuration, ResultStatus, SeasonStatus } from '../generated/resolvers.ts';
import type { RankingChange } from '../season-rankings/rows.ts';
import { requireOpen } from '../seasons/open-season.ts';
import type { CompleteResult, GivenResult, MatchFacts } from './facts.ts';
import { readResult } from './read-result.ts';
import { requireAcceptable } from './official.ts';
import { resultTransitions } from './rules.ts';
import { countingStatuses, resultResource, type ParticipantPart, type ResultRow } from './rows.ts';
import type { Settlement } from './settlement.ts';
import { withStoredStatistics } from './stored-members.ts';

interface FactsRow {
  readonly eventCode: string | null;
  readonly stageType: MatchFacts['stageType'];
  readonly bestOf: number | null;
  readonly seasonStatus: SeasonStatus;
  readonly subMatchScore: SubMatchScore | null;
  readonly discipline: string | null;
  /** Table points for a draw; null without a table of the competition's own. */
  readonly drawPoints: number | null;
  readonly reached: MatchDuration | null;
  readonly goals: readonly Scoring[];
  readonly entries: readonly { readonly participantId: string | null; readonly part: ParticipantPart | null }[];
}

/** The current result of a match and the facts for its validation. `row` is null where the match has no result. */
export interface ResultState {
  readonly row: ResultRow | null;
  readonly parts: readonly ParticipantPart[];
  readonly facts: MatchFacts;
  readonly seasonStatus: SeasonStatus;
}

/** Without a result, the members of the result are null. */
type StateRow = FactsRow & (ResultRow | { readonly [Member in keyof ResultRow]: null });

/** Reads the result of a locked match. The lock of the match also protects its result. */
export async function readResultState(transaction: WriteTransaction, match: MatchRow): Promise<ResultState> {
  const [state] = await transaction.query<StateRow>(sql`/* results.state */
    select ${resultResource.table.columns}, c.event_code as "eventCode", s.type as "stageType", s.best_of as "bestOf",
      season.status as "seasonStatus", ${subMatchScoreOf(sql`${match.id}`)} as "subMatchScore", competition.discipline,
      (coalesce(s.ranking_rules, season.ranking_rules, competition.ranking_rules) -> 'points' ->> 'draw')::float as "drawPoints",
      (select case when bool_or(action = 'shootout') then 'PENALTY_SHOOTOUT' when bool_or(action = 'extra-time') then 'EXTRA_TIME' end
        from history where resource_type = 'match' and resource_id = ${match.id}) as reached, coalesce((
      select jsonb_agg(jsonb_build_object('type', type, 'participantId', participant_id))
      from match_action where match_id = ${match.id} and type = any(${goalTypes})), '[]') as goals, coalesce((
      select jsonb_agg(jsonb_build_object('participantId', participant_id, 'part', result) order by ordinal)
      from match_participant where match_id = ${match.id} and not bye), '[]') as entries
    from contest c join stage s on s.id = ${match.stageId} join season on season.id = c.season_id
      join competition on competition.id = season.competition_id left join result on result.match_id = ${match.id}
    where c.id = ${match.contestId}`);
  if (!state) throw new Error(`match ${match.id} has no stage`);
  const { eventCode, stageType, bestOf, seasonStatus, subMatchScore, entries, ...rest } = state;
  const { discipline, drawPoints, reached, goals, ...row } = rest;
  const participantIds = entries.map(({ participantId }) => participantId);
  return {
    row: row.id === null ? null : row,
    parts: entries.flatMap(({ part }) => part ?? []),
    seasonStatus,
    facts: {
      sport: match.sport,
      eventCode,
      stageType,
      // For a tie, `bestOf` of the stage counts matches; for a single match, sets.
      bestOf: match.format?.bestOf ?? (match.tieId === null ? bestOf : null),
      inTie: match.tieId !== null,
      subMatchScore: subMatchScore && scoresOf(subMatchScore, match.format?.subMatchScoring),
      participantIds,
      periods: match.format?.periods ?? null,
      reached,
      goals: scoresGoals(match.sport, discipline) ? goalsOf(goals, participantIds) : null,
      canDraw: !sportsWithoutDraw.includes(match.sport) || (drawPoints ?? 0) > 0,
    },
  };
}

interface ResultHead {
  readonly status: ResultStatus;
  readonly reason?: string | null;
  readonly certifiedAt?: string;
}

/** The history entry and the event of a change of a result. */
interface ResultChange {
  readonly action: string;
  readonly event: EventType;
}

/**
 * Writes the next version of a result, or the first one where `state.row` is null. `result` null changes only the status.
 * The match is locked. Rankings and placeholders follow when the settlement is settled.
 */
export async function writeResult(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  state: ResultState,
  result: CompleteResult | null,
  { action, event, ...head }: ResultHead & ResultChange,
): Promise<ResultRow> {
  const parts = result?.parts ?? state.parts;
  const values: Partial<ResultRow> = { ...head, ...(result && { duration: result.duration, endedBy: result.endedBy }) };
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
  await writeVersion(transaction, row, parts, result !== null);
  const isCounted = [state.row?.status, row.status].some((status) => status && countingStatuses.includes(status));
  settlement.touch(match);
  settlement.follow(matchId);
  if (isCounted) settlement.decide(matchId);
  settlement.reportChanges({ participantIds: parts.map(({ participantId }) => participantId), changes });
  return row;
}

/** Stores the complete version. With `replaceParts`, entries that the result does not contain lose their part. */
async function writeVersion(
  transaction: WriteTransaction,
  row: ResultRow,
  parts: readonly ParticipantPart[],
  replaceParts: boolean,
): Promise<void> {
  await transaction.query(sql`/* results.writeVersion */ with part as (
      select p from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) as p
    ), entry as (
      update match_participant e set result = (select p from part where p ->> 'participantId' = e.participant_id::text)
      where e.match_id = ${row.matchId} and ${replaceParts}
    )
    insert into result_version (result_id, version, at, status, reason, duration, ended_by, participants)
    values (${row.id}, ${row.version}, ${row.updatedAt}, ${row.status}, ${row.reason}, ${row.duration},
      ${row.endedBy && JSON.stringify(row.endedBy)}::jsonb, ${JSON.stringify(parts)}::jsonb)`);
}

/** Whether a result has the same content as the stored one, whatever its status. */
export function isSameResult(state: ResultState, result: CompleteResult): boolean {
  const { row, parts } = state;
  return (
    row !== null &&
    row.duration === result.duration &&
    isDeepStrictEqual(row.endedBy, result.endedBy) &&
    isDeepStrictEqual(parts, result.parts)
  );
}

/** Throws Problem invalid_transition (409) for a match whose result cannot be official yet. */
export function requireDecided(match: MatchRow, row: ResultRow | null): void {
  if (decidedMatchStatuses.includes(match.status)) return;
  const detail = `The match is ${match.status}. Finish, award or abandon it before you certify its result.`;
  const allowed = row ? allowedTransitions(resultTransitions, row.status, ['OWNER']) : [];
  throw new Problem('invalid_transition', detail, {
    state: row?.status ?? null,
    allowedTransitions: allowed.filter((verb) => verb !== 'certify'),
  });
}

/** Throws Problem invalid_transition (409) for an official or annulled result: such a result can only be corrected. */
export function requireProvisional(row: ResultRow): void {
  if (row.status === 'PROVISIONAL') return;
  throw new Problem(
    'invalid_transition',
    `The result is ${row.status} and cannot be overwritten. Correct it with \`POST …/matches/{matchId}/result/correct\` and a reason; the importer does so with \`--correct REASON\`.`,
    {
      state: row.status,
      allowedTransitions: allowedTransitions(resultTransitions, row.status, ['OWNER']),
    },
  );
}

/** Whether a stored result has reached the requested status. Without one a result keeps its status; a corrected result is official. */
const hasStatus = ({ status }: ResultRow, requested: InitialResultStatus | null | undefined): boolean =>
  status === (requested ?? 'PROVISIONAL') || countingStatuses.includes(status);

export interface RecordedResult {
  readonly before: ResultRow | null;
  /** Has the same version as `before` where nothing changed. */
  readonly after: ResultRow;
}

/** Reads a result with the members that it leaves out. An official result keeps its duration, so that an equal item without one is equal to it. */
function readGiven(given: GivenResult, { row, parts, facts }: ResultState, pointer: string) {
  const complete = withStoredStatistics(given, parts);
  if (row === null || !countingStatuses.includes(row.status)) return readResult(complete, facts, pointer);
  return readResult({ ...complete, duration: given.duration ?? row.duration }, { ...facts, reached: null }, pointer);
}

/**
 * Writes the result that comes with a match or in a batch. The match is locked, in its final state, and its entries are written.
 * An equal result does not change, or becomes official. A different result replaces a provisional one. Without a status a new result is
 * PROVISIONAL, and a stored one keeps its status.
 * Throws Problem validation_failed (422) with pointers below `pointer`, and invalid_transition (409) where a different result is official,
 * the match has not started, an official result comes before the end of the match, or the season is closed.
 */
export async function recordResult(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  given: GivenResult,
  requested: InitialResultStatus | null | undefined,
  pointer = '',
): Promise<RecordedResult> {
  const state = await readResultState(transaction, match);
  const before = state.row;
  const { result, violations } = readGiven(given, state, pointer);
  rejectInvalid(violations);
  const isSame = isSameResult(state, result);
  const status = requested ?? 'PROVISIONAL';
  if (before && isSame && hasStatus(before, requested)) return { before, after: before };
  requireStarted(match, 'a result');
  requireOpen(state.seasonStatus);
  if (before) requireProvisional(before);
  const official = status === 'OFFICIAL';
  if (official) {
    requireDecided(match, before);
    requireAcceptable(result, state.facts, pointer);
  }
  const change = {
    action: official ? 'certify' : before ? 'updated' : 'created',
    event: official ? 'result.certified' : 'result.recorded',
  } as const;
  const head = { status, ...(official && { certifiedAt: new Date().toISOString() }) };
  const after = await writeResult(transaction, settlement, match, state, isSame ? null : result, { ...head, ...change });
  return { before, after };
}
