/** A season of each sport in a separate database. Fixtures write results with SQL, and the area computes the rankings. */
import { randomUUID } from 'node:crypto';
import { openDatabase, raw, sql, type Sql } from '../../../../platform/database/database.ts';
import { insertInto, type Table } from '../../../../platform/database/table.ts';
import { areaRole } from '../../../../platform/database/roles.ts';
import { createWriter } from '../../../../platform/writes/write.ts';
import type { RankingRules } from '../../../../schema/ranking-rules.ts';
import { SYSTEM } from '../../../../schema/viewer.ts';
import type { ResultStatus, Sport, StageType } from '../../../../subgraphs/competitions/generated/resolvers.ts';
import { competitionResource } from '../../../../subgraphs/competitions/competitions/rows.ts';
import { matchParticipants } from '../../../../subgraphs/competitions/match-participants/rows.ts';
import { matchResource } from '../../../../subgraphs/competitions/matches/rows.ts';
import { readFacts, readStructures } from '../../../../subgraphs/competitions/season-rankings/season-facts.ts';
import type { RankingRecord, RankingScope } from '../../../../subgraphs/competitions/season-rankings/rows.ts';
import { refreshRankings } from '../../../../subgraphs/competitions/season-rankings/writes.ts';
import type { ParticipantPart } from '../../../../subgraphs/competitions/results/rows.ts';
import { contestResource } from '../../../../subgraphs/competitions/contests/rows.ts';
import { participantResource } from '../../../../subgraphs/competitions/participants/rows.ts';
import { stageResource } from '../../../../subgraphs/competitions/stages/rows.ts';
import { seasonResource } from '../../../../subgraphs/competitions/seasons/rows.ts';
import { cloneDatabase } from '../../../database.ts';

const accountId = randomUUID();
const startsAt = (day: number): string => `2026-08-${String(1 + day).padStart(2, '0')}T12:00:00.000Z`;

export interface Stage {
  readonly type: StageType;
  readonly groups?: readonly string[];
  readonly advancement?: readonly { readonly by: 'PLACE' | 'MARK'; readonly count: number; readonly toStageId: null }[];
}

export interface Plan {
  readonly sport: Sport;
  readonly eventCode?: string;
  readonly rules?: RankingRules;
  readonly stages: readonly Stage[];
}

export interface Ranked {
  readonly plan: Plan;
  readonly seasonId: string;
  readonly matches: readonly {
    readonly id: string;
    readonly scope: RankingScope;
    readonly participantIds: readonly string[];
    readonly day: number;
  }[];
  readonly stageIds: readonly string[];
  readonly participantIds: readonly string[];
}

const competitors = 5;
const isRace = (type: StageType): boolean => !['LEAGUE', 'GROUP', 'KNOCKOUT'].includes(type);

/** Opens the database. `athletes` are the same in every season of races. */
export async function openRankedSeasons() {
  const clone = await cloneDatabase();
  const database = openDatabase({ url: clone.urlAs(areaRole('competitions')), name: 'test-rankings', poolSize: 6 });
  const writer = createWriter(database, {}, () => undefined);
  const athletes = Array.from({ length: competitors }, () => randomUUID());

  async function add<Row extends { id: string }>(table: Table<Row>, values: Partial<Row>, search?: Sql): Promise<Row> {
    const [row] = await database.query<Row>(insertInto(table, values, search ? { search } : {}));
    if (!row) throw new Error('nothing was inserted');
    return row;
  }

  const write = (work: (transaction: Parameters<Parameters<typeof writer.write>[1]>[0]) => Promise<unknown>): Promise<unknown> =>
    writer.write({ viewer: SYSTEM, notes: {} }, async (transaction) => {
      await work(transaction);
      return { id: randomUUID() };
    });

  async function season(plan: Plan): Promise<Ranked> {
    const { sport, eventCode = null } = plan;
    const of = { accountId, sport, published: true };
    const kind = { name: sport, type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED' } as const;
    const competition = await add(competitionResource.table, { accountId, sport, ...kind }, sql`${sport}`);
    const days = { startDate: '2026-08-01', endDate: '2026-08-31', name: '2026', status: 'IN_PROGRESS' } as const;
    const own = await add(seasonResource.table, {
      ...of,
      ...days,
      competitionId: competition.id,
      rankingRules: plan.rules ?? null,
    });
    const seasonId = own.id;
    const contest = await add(contestResource.table, { ...of, seasonId, name: 'Contest', eventCode, relay: false });
    const racing = plan.stages.every(({ type }) => isRace(type));
    const participantIds: string[] = [];
    for (const [index, athleteId] of athletes.entries()) {
      const group = plan.stages[0]?.groups?.[index % 2] ?? null;
      const members = racing
        ? ({ type: 'ATHLETE', athleteId, representsTeamId: null } as const)
        : ({ type: 'TEAM', name: `${sport} ${index}` } as const);
      participantIds.push((await add(participantResource.table, { ...of, seasonId, ...members, groupName: group })).id);
    }
    const matches: Ranked['matches'][number][] = [];
    const stageIds: string[] = [];
    for (const [ordinal, { type, groups = [], advancement = [] }] of plan.stages.entries()) {
      const stage = await add(stageResource.table, {
        ...of,
        seasonId,
        contestId: contest.id,
        name: `Stage ${ordinal}`,
        type,
        ordinal,
        groups: [...groups],
        advancement: [...advancement],
      });
      stageIds.push(stage.id);
      const pairs = participantIds.flatMap((one, index) =>
        participantIds.slice(index + 1).map((other, further) => [one, other, index, index + 1 + further] as const),
      );
      const fixtures = isRace(type)
        ? [participantIds.slice(0, 3), participantIds.slice(3)]
            .slice(type === 'RACE_STAGE' || type === 'FINAL' ? 2 : 0)
            .concat(type === 'RACE_STAGE' || type === 'FINAL' ? [participantIds] : [])
        : pairs.filter(([, , a, b]) => groups.length === 0 || a % 2 === b % 2).map(([one, other]) => [one, other]);
      for (const [index, ids] of fixtures.entries()) {
        const first = participantIds.indexOf(ids[0] ?? '');
        const groupName = groups[first % 2] ?? null;
        const day = ordinal * 7 + (index % 4);
        const facts = {
          status: 'TIMED',
          startsAt: startsAt(day),
          date: startsAt(day).slice(0, 10),
          matchday: isRace(type) ? null : 1 + (index % 4),
        } as const;
        const match = await add(matchResource.table, {
          ...of,
          ...facts,
          seasonId,
          competitionId: competition.id,
          contestId: contest.id,
          stageId: stage.id,
          groupName,
          officials: [],
        });
        for (const [place, participantId] of ids.entries()) {
          const side = isRace(type) ? null : place === 0 ? ('HOME' as const) : ('AWAY' as const);
          const athleteIds = racing ? [athletes[participantIds.indexOf(participantId)] ?? ''] : [];
          await add(matchParticipants, {
            matchId: match.id,
            ordinal: place,
            participantId,
            side,
            athleteIds,
            bye: false,
            lineup: [],
            startsAt: match.startsAt,
            published: true,
          });
        }
        matches.push({
          id: match.id,
          scope: { seasonId, contestId: contest.id, stageId: stage.id, groupName },
          participantIds: ids,
          day,
        });
      }
    }
    await write((transaction) => refreshRankings(transaction, [{ seasonId, contestId: null, stageId: null, groupName: null }]));
    return { plan, seasonId, matches, stageIds, participantIds };
  }

  return {
    database,
    season,
    /** Writes a result, or changes its status, and refreshes the rankings. */
    result: (of: Ranked, index: number, status: ResultStatus, parts: readonly ParticipantPart[]) =>
      write(async (transaction) => {
        const match = of.matches[index % of.matches.length];
        if (!match) throw new Error('no such match');
        const { seasonId, contestId, stageId } = match.scope;
        await transaction.query(sql`/* test.result */ insert into result (account_id, published, status, match_id, season_id, contest_id, stage_id, sport, starts_at)
          values (${accountId}, true, ${status}, ${match.id}, ${seasonId}, ${contestId}, ${stageId}, ${of.plan.sport}, ${startsAt(match.day)})
          on conflict (match_id) do update set status = excluded.status, version = result.version + 1`);
        await transaction.query(sql`/* test.finish */ update match set status = 'FINISHED' where id = ${match.id}`);
        for (const [place, part] of parts.slice(0, match.participantIds.length).entries()) {
          const participantId = match.participantIds[place];
          await transaction.query(sql`/* test.part */ update match_participant set result = ${JSON.stringify({ ...part, participantId })}::jsonb
            where match_id = ${match.id} and ordinal = ${place}`);
        }
        await refreshRankings(transaction, [match.scope]);
      }),
    /** Moves a match to another date and matchday. */
    move: (of: Ranked, index: number, day: number) =>
      write(async (transaction) => {
        const match = of.matches[index % of.matches.length];
        if (!match) throw new Error('no such match');
        await transaction.query(sql`/* test.move */ update match set starts_at = ${startsAt(day)}, date = ${startsAt(day).slice(0, 10)}::date,
          matchday = case when matchday is null then null else ${1 + day}::int end where id = ${match.id}`);
        await refreshRankings(transaction, [match.scope]);
      }),
    /** Deducts points from a participant, or adds time. */
    adjust: (of: Ranked, members: number, value: number) =>
      write(async (transaction) => {
        const [stageId] = of.stageIds;
        const isTime = of.plan.stages[0]?.type === 'RACE_STAGE';
        await transaction.query(sql`/* test.adjust */ insert into adjustment (account_id, published, season_id, stage_id, participant_id, sport, points, time_ms, reason)
          values (${accountId}, true, ${of.seasonId}, ${stageId}, ${of.participantIds[members % competitors]}, ${of.plan.sport}, ${isTime ? null : value},
            ${isTime ? value * 1000 : null}, 'Decided')`);
        await refreshRankings(transaction, [{ seasonId: of.seasonId, contestId: null, stageId: null, groupName: null }]);
      }),
    stored: async (): Promise<RankingRecord[]> =>
      database.query<RankingRecord>(sql`/* test.rankings */ select id, season_id as "seasonId", contest_id as "contestId", stage_id as "stageId",
        group_name as "groupName", type, classification, method, ordinal, rows from ranking order by id`),
    facts: async (of: readonly Ranked[]) => {
      const structures = await readStructures(
        database,
        of.map(({ seasonId }) => seasonId),
      );
      return Promise.all(
        structures.map((structure) =>
          readFacts(
            database,
            structure,
            structure.stages.map(({ id }) => id),
          ),
        ),
      );
    },
    bestMarks: () =>
      database.query<{ athleteId: string; eventCode: string; value: number; matchId: string }>(
        sql`/* test.bestMarks */ select athlete_id as "athleteId", event_code as "eventCode", value, match_id as "matchId" from ${raw('best_mark')} order by event_code collate "C", athlete_id`,
      ),
    close: async () => {
      await database.close();
      await clone.drop();
    },
  };
}
