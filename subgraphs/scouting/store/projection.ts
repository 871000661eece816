/** What scouting keeps of the athletes area: a scored row of every public profile of an adult. */
import { sql, type Database, type Queryable } from '../../../platform/database.ts';
import { idsOf, type Consumer } from '../../../platform/relay.ts';
import type { Graph } from '../../../schema/door.ts';
import { ageBandOf } from '../../age-bands.ts';
import { latestToday } from '../../age.ts';
import type { Level, Sex, Sport } from '../resolvers.generated.ts';
import { bornBy, modelVersion, refreshOn, scoreOf } from '../score.ts';

/** An athlete as the athletes area tells other areas. */
export interface AthleteFacts {
  readonly id: string;
  readonly public: boolean;
  readonly minor: boolean;
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
  readonly sex: Sex;
  readonly nationalities: readonly string[];
  readonly country: string | null;
  readonly sports: readonly {
    readonly sport: Sport;
    readonly positions: readonly string[];
    readonly primary: boolean;
    readonly level: Level | null;
  }[];
  readonly verified: boolean;
}

const athletesById = /* GraphQL */ `
  query projectedAthletes($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      public
      minor
      dateOfBirth
      birthYear
      sex
      nationalities
      country
      verified
      sports {
        sport
        positions
        primary
        level
      }
    }
  }
`;

/** The row of an athlete on a day; null for whom nobody may find here: minors, hidden profiles, and those without a sport. */
export function prospectOf(athlete: AthleteFacts, today: string) {
  const primary = athlete.sports.find((each) => each.primary) ?? athlete.sports[0];
  if (!athlete.public || athlete.minor || !primary) return null;
  const { sport, level } = primary;
  const born = bornBy(athlete);
  const ageBand = ageBandOf(born, today);
  return {
    athlete_id: athlete.id,
    sport,
    positions: primary.positions,
    sex: athlete.sex,
    country: athlete.country ?? athlete.nationalities[0] ?? null,
    level,
    born_by: born,
    age_band: ageBand,
    cohort: [sport, athlete.sex, ageBand, level].join(' '),
    ...scoreOf({ ...athlete, level }, today),
    refresh_on: refreshOn(born, today),
  };
}

async function removeOthers(transaction: Queryable, ids: readonly string[], kept: readonly string[]): Promise<void> {
  await transaction.query(sql`/* scouting.removeProspects */ delete from prospect
    where athlete_id = any(${[...ids]}::uuid[]) and not athlete_id = any(${[...kept]}::uuid[])`);
}

async function keep(transaction: Queryable, rows: readonly object[]): Promise<void> {
  await transaction.query(sql`/* scouting.projectAthletes */
    insert into prospect as p (athlete_id, sport, positions, sex, country, level, born_by, age_band, cohort, talent_score, components, confidence, model_version, refresh_on)
    select athlete_id, sport, positions, sex, country, level, born_by, age_band, cohort, "talentScore", components, confidence, ${modelVersion}, refresh_on
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(athlete_id uuid, sport text, positions text[], sex text, country text, level text,
      born_by date, age_band text, cohort text, "talentScore" int, components jsonb, confidence numeric, refresh_on date)
    on conflict (athlete_id) do update set version = p.version + 1, computed_at = now(), sport = excluded.sport, positions = excluded.positions,
      sex = excluded.sex, country = excluded.country, level = excluded.level, born_by = excluded.born_by, age_band = excluded.age_band,
      cohort = excluded.cohort, talent_score = excluded.talent_score, components = excluded.components, confidence = excluded.confidence,
      model_version = excluded.model_version, refresh_on = excluded.refresh_on
    where (p.cohort, p.positions, p.country, p.born_by, p.components, p.confidence, p.model_version, p.refresh_on) is distinct from
      (excluded.cohort, excluded.positions, excluded.country, excluded.born_by, excluded.components, excluded.confidence, excluded.model_version, excluded.refresh_on)`);
}

/** Brings the rows of athletes up to date with what the athletes area says of them today. */
async function project(transaction: Queryable, ids: readonly string[], graph: Graph): Promise<void> {
  const data = await graph(athletesById, { ids });
  const today = latestToday();
  const rows = (data['athletesById'] as AthleteFacts[]).flatMap((athlete) => prospectOf(athlete, today) ?? []);
  await removeOthers(
    transaction,
    ids,
    rows.map((row) => row.athlete_id),
  );
  if (rows.length > 0) await keep(transaction, rows);
}

const renewedMax = 500;

/** The projections of this area. Facts are read as they are now, so events that come twice or late change nothing. */
export function scoutingConsumers({ database }: { readonly database: Database }): readonly Consumer[] {
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = idsOf(events, 'athlete');
        if (ids.length > 0) await project(transaction, ids, graph);
      },
      async renew(graph) {
        const due = await database.query<{ id: string }>(sql`/* scouting.dueProspects */
          select athlete_id as id from prospect where refresh_on <= ${latestToday()}::date order by refresh_on limit ${renewedMax}`);
        const ids = due.map(({ id }) => id);
        if (ids.length > 0) await database.transaction((transaction) => project(transaction, ids, graph));
        return ids.length === renewedMax;
      },
    },
  ];
}
