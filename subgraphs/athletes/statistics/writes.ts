/** Writes of statistics: reports of seasons and careers, one by one or in a batch, and decisions of moderators. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { join, sql } from '../../../platform/database/database.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import type { TransitionArguments } from '../../../platform/writes/lifecycle.ts';
import { changeRow, insertResource, lockForModeration, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleCompetitions, visibleSeasons } from '../../clients/competition-facts.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { ReportStatisticsInput } from '../generated/resolvers.ts';
import type { StatisticsReads } from './reads.ts';
import { statistics, statisticsResource, type StatisticsRow } from './rows.ts';
import { referenceViolations, statisticsViolations, type ReportReferences } from './rules.ts';

/** Reads what reports refer to in other areas: one fetch per kind for any number of reports. */
async function loadReferences(context: Context, inputs: readonly ReportStatisticsInput[]): Promise<ReportReferences> {
  const [seasons, competitions, teams] = await Promise.all([
    visibleSeasons(
      context,
      inputs.map(({ seasonId }) => seasonId),
    ),
    visibleCompetitions(
      context,
      inputs.map(({ competitionId }) => competitionId),
    ),
    teamsById(
      context,
      inputs.map(({ teamId }) => teamId),
    ),
  ]);
  return { seasons, competitions, teams: new Map([...teams].filter(([, team]) => isTeamVisible(team, context.viewer))) };
}

/** The members that identify a row of an athlete. */
const identityColumns = {
  scope: sql`scope`,
  sport: sql`sport`,
  seasonId: sql`season_id`,
  competitionId: sql`competition_id`,
  teamId: sql`team_id`,
  eventCode: sql`event_code`,
  source: sql`source`,
};
const identity = ['scope', 'sport', 'seasonId', 'competitionId', 'teamId', 'eventCode', 'source'] as const;

type ReportedRow = Pick<StatisticsRow, 'athleteId' | 'scope' | 'sport' | 'source' | 'metrics' | 'accountId' | 'competitionId'> &
  Partial<StatisticsRow>;

/** Row values of a report. The competition of a season follows from the season. */
function valuesOf(input: ReportStatisticsInput, accountId: string, { seasons }: ReportReferences): ReportedRow {
  const { athleteId, scope, sport, source, metrics, matchId, seasonId } = input;
  const season = seasonId ? seasons.get(seasonId) : undefined;
  return {
    accountId,
    athleteId,
    scope,
    sport,
    source,
    metrics,
    seasonId: seasonId ?? null,
    competitionId: season?.competitionId ?? input.competitionId ?? null,
    teamId: input.teamId ?? null,
    eventCode: input.eventCode ?? null,
    matchesPlayed: input.matchesPlayed ?? null,
    minutesPlayed: input.minutesPlayed ?? null,
    asOf: input.asOf ?? null,
    ...(matchId === undefined ? {} : { matchId }),
  };
}

function isUnchanged(before: StatisticsRow, values: ReportedRow): boolean {
  const members = (row: Partial<StatisticsRow>): string =>
    JSON.stringify([
      row.matchesPlayed ?? null,
      row.minutesPlayed ?? null,
      row.asOf ?? null,
      (row.metrics ?? []).map(({ key, value }) => [key, value]),
    ]);
  return members(before) === members(values);
}

/** Throws Problem validation_failed (422) unless the athlete belongs to the account. Locks the athlete against removal. */
async function requireOwnAthlete(transaction: WriteTransaction, accountId: string, athleteId: string): Promise<void> {
  const [athlete] = await transaction.query<{ accountId: string }>(
    sql`/* statistics.athlete */ select account_id as "accountId" from athlete where status not in ('MERGED', 'ERASURE_REQUESTED', 'ERASED') and id = ${athleteId} for key share`,
  );
  rejectInvalid([
    athlete?.accountId !== accountId && {
      pointer: '/athleteId',
      code: 'unknown_athlete',
      detail: 'Your account has no athlete with this ID.',
    },
  ]);
}

/** Copies the metrics of a row to the table that leaderboards read. */
async function setMetrics(transaction: WriteTransaction, { id, metrics }: StatisticsRow): Promise<void> {
  await transaction.query(sql`/* statistics.setMetrics */ with removed as (delete from statistic_metric where statistics_id = ${id} and key <> all(${metrics.map(({ key }) => key)}))
    insert into statistic_metric (statistics_id, key, value) select ${id}, m.key, m.value from jsonb_to_recordset(${JSON.stringify(metrics)}::jsonb) as m(key text, value float8)
    on conflict (statistics_id, key) do update set value = excluded.value`);
}

/** Inserts or replaces the row that a report identifies. A replaced row is no longer verified. Throws Problem validation_failed (422). */
async function writeReport(
  transaction: WriteTransaction,
  accountId: string,
  input: ReportStatisticsInput,
  references: ReportReferences,
) {
  rejectInvalid([...statisticsViolations(input), ...referenceViolations(input, references)]);
  await requireOwnAthlete(transaction, accountId, input.athleteId);
  const values = valuesOf(input, accountId, references);
  const isSame = identity.map((member) => sql`${identityColumns[member]} is not distinct from ${values[member] ?? null}`);
  const [before] = await transaction.query<StatisticsRow>(sql`/* statistics.find */ select ${statistics.columns} from statistics
    where athlete_id = ${input.athleteId} and ${join(isSame, ' and ')} for update`);
  if (before && isUnchanged(before, values)) return { before, after: before };
  const data = { athleteId: input.athleteId };
  const note = { action: 'updated', event: 'statistics.updated', data } as const;
  const after = before
    ? await changeRow(transaction, statisticsResource, before, { ...values, verified: false }, note)
    : await insertResource(transaction, statisticsResource, values, null, data);
  await setMetrics(transaction, after);
  return { before: before ?? null, after };
}

/** Marks reported values as verified or not. Throws Problem conflict (409) for computed statistics. */
async function decide(
  transaction: WriteTransaction,
  { viewer }: Context,
  verb: 'verify' | 'reject',
  { id, reason }: TransitionArguments,
): Promise<StatisticsRow> {
  const row = await lockForModeration(transaction, statisticsResource, viewer, id);
  if (row.source === 'COMPUTED')
    throw new Problem('conflict', 'These statistics are computed from match results. Correct the results instead.');
  const data = { athleteId: row.athleteId, ...(reason ? { reason } : {}) };
  const note = { action: verb, event: 'statistics.updated', data } as const;
  return changeRow(transaction, statisticsResource, row, { verified: verb === 'verify' }, note);
}

/** Creates the writes of statistics. */
export function createStatisticsWrites({ writer }: AreaServices, reads: StatisticsReads) {
  const replay = replaysOf(reads.byId);
  const replayForModeration = replaysOf(reads.byIdForModeration);

  return {
    decide(context: Context, verb: 'verify' | 'reject', args: TransitionArguments): Promise<StatisticsRow> {
      const { id, reason, idempotencyKey } = args;
      const replayable = replayForModeration(context, `${verb}AthleteStatistics`, idempotencyKey, { id, reason });
      return writer.write(context, (transaction) => decide(transaction, context, verb, args), replayable);
    },
    async report(context: Context, input: ReportStatisticsInput, key: string | null | undefined): Promise<StatisticsRow> {
      const accountId = requireAccount(context.viewer);
      const references = await loadReferences(context, [input]);
      const work = async (transaction: WriteTransaction) => (await writeReport(transaction, accountId, input, references)).after;
      return writer.write(context, work, replay(context, 'reportAthleteStatistics', key, input));
    },
    async reportBatch(
      context: Context,
      items: readonly ReportStatisticsInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const references = await loadReferences(context, items);
      const request = {
        operation: 'reportAthleteStatisticsBatch',
        idempotencyKey,
        items,
        orderBy: (item: ReportStatisticsInput) => item.athleteId,
        constraints: athleteConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const { before, after } = await writeReport(transaction, accountId, item, references);
        return upsertOutcome(before, after);
      });
    },
  };
}
