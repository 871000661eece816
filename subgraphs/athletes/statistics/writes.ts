/** Statistics of athletes: their writes. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { join, sql } from '../../../platform/database/database.ts';
import { changeRow, insertResource, lockForModeration, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import {
  visibleCompetitions,
  visibleSeasons,
  unknownCompetitionViolation,
  unknownSeasonViolation,
  type CompetitionFacts,
  type SeasonFacts,
} from '../../clients/competition-facts.ts';
import { isTeamVisible, teamsById, unknownTeamViolation, type TeamsById } from '../../clients/team-facts.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { ReportStatisticsInput } from '../resolvers.generated.ts';
import { statisticsViolations } from '../athletes/rules.ts';
import { statistics, statisticsResource, type StatisticsRow } from './rows.ts';
import type { StatisticsReads } from './reads.ts';

/** What reports name of other areas, as far as who reports may know of it. */
interface Named {
  readonly seasons: ReadonlyMap<string, SeasonFacts>;
  readonly competitions: ReadonlyMap<string, CompetitionFacts>;
  readonly teams: TeamsById;
}

interface Decision {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Writes of statistics over the area's database. */
export function createStatisticsWrites({ writer }: AreaServices, store: StatisticsReads) {
  /** Through the graph: a fetch for each kind of what any number of reports name. */
  async function gather(context: Context, inputs: readonly ReportStatisticsInput[]): Promise<Named> {
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

  async function report(transaction: WriteTransaction, accountId: string, input: ReportStatisticsInput, named: Named) {
    const season = input.seasonId ? named.seasons.get(input.seasonId) : undefined;
    rejectInvalid([...statisticsViolations(input), ...namedViolations(input, named)]);
    const [athlete] = await transaction.query<{ accountId: string }>(
      sql`/* statistics.athlete */ select account_id as "accountId" from athlete where status not in ('MERGED', 'ERASURE_REQUESTED', 'ERASED') and id = ${input.athleteId} for key share`,
    );
    if (athlete?.accountId !== accountId)
      rejectInvalid([{ pointer: '/athleteId', code: 'unknown_athlete', detail: 'You have no athlete with this id.' }]);
    const values = {
      ...(input as Partial<StatisticsRow>),
      accountId,
      competitionId: season?.competitionId ?? input.competitionId ?? null,
    };
    const key = ['scope', 'sport', 'seasonId', 'competitionId', 'teamId', 'eventCode', 'source'] as const;
    const same = key.map((field) => sql`${statisticsColumn[field]} is not distinct from ${values[field] ?? null}`);
    const [before] = await transaction.query<StatisticsRow>(sql`/* statistics.find */ select ${statistics.columns} from statistics
      where athlete_id = ${input.athleteId} and ${join(same, ' and ')} for update`);
    const data = { athleteId: input.athleteId };
    if (before && unchanged(before, values)) return { before, after: before };
    const after = before
      ? await changeRow(
          transaction,
          statisticsResource,
          before,
          { ...empty, ...values },
          { action: 'updated', event: 'statistics.updated', data },
        )
      : await insertResource(transaction, statisticsResource, values, null, data);
    await transaction.query(sql`/* statistics.setMetrics */ with gone as (delete from statistic_metric where statistics_id = ${after.id} and key <> all(${after.metrics.map(({ key: each }) => each)}))
      insert into statistic_metric (statistics_id, key, value) select ${after.id}, m.key, m.value from jsonb_to_recordset(${JSON.stringify(after.metrics)}::jsonb) as m(key text, value float8)
      on conflict (statistics_id, key) do update set value = excluded.value`);
    return { before: before ?? null, after };
  }

  const reloadModerated = replaysOf(store.moderated);

  return {
    /** A moderator's word on numbers that somebody reported. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason, idempotencyKey }: Decision): Promise<StatisticsRow> {
      const work = async (transaction: WriteTransaction): Promise<StatisticsRow> => {
        const row = await lockForModeration(transaction, statisticsResource, context.viewer, id);
        if (row.source === 'COMPUTED')
          throw new Problem('conflict', 'These numbers are counted from results: what is wrong is corrected there.');
        const data = { athleteId: row.athleteId, ...(reason ? { reason } : {}) };
        const moved = { action: verb, event: 'statistics.updated', data } as const;
        return changeRow(transaction, statisticsResource, row, { verified: verb === 'verify' }, moved);
      };
      const operation = `${verb}AthleteStatistics`;
      return writer.write(context, work, reloadModerated(context, operation, idempotencyKey, { id, reason }));
    },
    async report(context: Context, input: ReportStatisticsInput, key: string | null | undefined): Promise<StatisticsRow> {
      const accountId = requireAccount(context.viewer);
      const named = await gather(context, [input]);
      const reload = (id: string) => context.load(store.byId, id);
      const work = async (transaction: WriteTransaction) => (await report(transaction, accountId, input, named)).after;
      return writer.write(context, work, { operation: 'reportAthleteStatistics', key, input, reload });
    },
    async reportBatch(
      context: Context,
      items: readonly ReportStatisticsInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const named = await gather(context, items);
      const request = {
        operation: 'reportAthleteStatisticsBatch',
        idempotencyKey,
        items,
        orderBy: (item: ReportStatisticsInput) => item.athleteId,
        constraints: athleteConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const { before, after } = await report(transaction, accountId, item, named);
        return upsertOutcome(before, after);
      });
    },
  };
}

/** What is wrong with the season, the competition and the team of a report. */
function namedViolations(
  { sport, seasonId, competitionId, teamId }: ReportStatisticsInput,
  { seasons, competitions, teams }: Named,
): (Violation | false)[] {
  const season = seasonId ? seasons.get(seasonId) : undefined;
  const competition = competitionId ? competitions.get(competitionId) : undefined;
  const team = teamId ? teams.get(teamId) : undefined;
  return [
    !!seasonId && !season && unknownSeasonViolation('/seasonId'),
    !!season &&
      season.sport !== sport && { pointer: '/sport', code: 'contradicts', detail: `The season is one of ${season.sport}.` },
    !!season &&
      !!competitionId &&
      competitionId !== season.competitionId && {
        pointer: '/competitionId',
        code: 'contradicts',
        detail: 'The season belongs to another competition; leave competitionId away.',
      },
    !seasonId && !!competitionId && !competition && unknownCompetitionViolation('/competitionId'),
    !seasonId &&
      !!competition &&
      competition.sport !== sport && {
        pointer: '/sport',
        code: 'contradicts',
        detail: `The competition is one of ${competition.sport}.`,
      },
    !!teamId && !team && unknownTeamViolation('/teamId'),
    !!team && team.sport !== sport && { pointer: '/teamId', code: 'foreign_sport', detail: `The team plays ${team.sport}.` },
  ];
}

const statisticsColumn = {
  scope: sql`scope`,
  sport: sql`sport`,
  seasonId: sql`season_id`,
  competitionId: sql`competition_id`,
  teamId: sql`team_id`,
  eventCode: sql`event_code`,
  source: sql`source`,
};

/** A report replaces the row: what it does not name is not kept, nor what a moderator found of other numbers. */
const empty: Partial<StatisticsRow> = { matchesPlayed: null, minutesPlayed: null, asOf: null, verified: false };

function unchanged(before: StatisticsRow, values: Partial<StatisticsRow>): boolean {
  const facts = (row: Partial<StatisticsRow>): string =>
    JSON.stringify([
      row.matchesPlayed ?? null,
      row.minutesPlayed ?? null,
      row.asOf ?? null,
      (row.metrics ?? []).map(({ key, value }) => [key, value]),
    ]);
  return facts(before) === facts(values);
}
