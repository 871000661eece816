/** Talent scores of prospects, computed from the percentiles of their values in the current cohorts. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { ageOn, latestToday } from '../../runtime/age.ts';
import { narrowestCohortFirst, percentileAmong } from '../../../platform/cohorts.ts';
import type { Level, Sex, Sport } from '../generated/resolvers.ts';
import { profileOf } from '../skills/profile.ts';
import { growthPercentile } from '../talent/growth.ts';
import { writePercentiles } from './metric-percentiles.ts';
import { isEmerging, listPlaceOf } from '../talent/emerging.ts';
import type { Standing } from '../talent/standings.ts';
import { modelVersion, computeTalentScore } from '../talent/talent-score.ts';

interface StandingRow {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly sex: Sex;
  readonly positionGroup: string;
  readonly level: Level | null;
  readonly verified: boolean;
  readonly bornBy: string | null;
  readonly standings: readonly (Omit<Standing, 'cohort'> & {
    readonly rate: number;
    readonly rateBefore: number | null;
    readonly ageBand: string | null;
    readonly position: string | null;
    readonly cohortLevel: Level | null;
    /** Null without a cohort. */
    readonly n: number | null;
  })[];
}

/** Cohort sizes are rounded to two digits, so that another athlete does not change the rows of the whole cohort. */
function standingsOf({ standings }: StandingRow): Standing[] {
  return standings.map(({ ageBand, position, cohortLevel, n, rate, rateBefore, growth, ...each }) => ({
    ...each,
    growth: growthPercentile(each.metric, { rate, rateBefore }, growth),
    cohort: n === null ? null : { ageBand, position, level: cohortLevel, n: Number(n.toPrecision(2)) },
  }));
}

/** The values of athletes, each with its narrowest cohort. */
function readStandings(database: Queryable, athleteIds: readonly string[], sport: Sport | null): Promise<StandingRow[]> {
  const narrowest = (kind: 'VALUE' | 'GROWTH') => sql`select * from cohort c
    where c.sport = m.sport and c.metric = m.metric and c.event_code = m.event_code and c.kind = ${kind} and c.sex = p.sex
      and c.age_band in ('', p.age_band) and c.position_group in ('', p.position_group) and c.level in ('', p.level)
    order by ${narrowestCohortFirst} limit 1`;
  return database.query<StandingRow>(sql`/* prospects.standings */
    select p.athlete_id as "athleteId", p.sport, p.sex, p.position_group as "positionGroup", p.level, p.verified, p.born_by as "bornBy", s.standings
    from prospect p, lateral (
      select coalesce(jsonb_agg(jsonb_build_object('metric', m.metric, 'eventCode', m.event_code, 'value', m.value, 'matches', m.matches,
        'matchesBefore', m.matches_before, 'source', m.source, 'asOf', m.as_of, 'rate', m.rate, 'rateBefore', m.rate_before,
        'overall', ${percentileAmong(sql`m.rate`, sql`a.knots`)}, 'percentile', ${percentileAmong(sql`m.rate`, sql`c.knots`)},
        'before', ${percentileAmong(sql`m.rate_before`, sql`c.knots`)}, 'growth', ${percentileAmong(sql`m.rate - m.rate_before`, sql`g.knots`)},
        'ageBand', nullif(c.age_band, ''), 'position', nullif(c.position_group, ''),
        'cohortLevel', nullif(c.level, ''), 'n', c.size) order by m.event_code, m.metric), '[]') as standings
      from prospect_metric m
      left join lateral (${narrowest('VALUE')}) c on true
      left join lateral (${narrowest('GROWTH')}) g on m.rate_before is not null
      left join cohort a on a.sport = m.sport and a.metric = m.metric and a.event_code = m.event_code and a.kind = 'VALUE' and a.sex = p.sex
        and a.age_band = '' and a.position_group = '' and a.level = ''
      where m.athlete_id = p.athlete_id and m.sport = p.sport) s
    where p.athlete_id = any(${[...athleteIds]}::uuid[]) and ${sport === null ? sql`true` : sql`p.sport = ${sport}`}`);
}

/** Computes the scores of athletes in one sport or in all of their sports, and writes those that changed. */
export async function updateScores(
  database: Queryable,
  athleteIds: readonly string[],
  ofSport: Sport | null = null,
): Promise<void> {
  const today = latestToday();
  const rows = (await readStandings(database, athleteIds, ofSport)).map((row) => {
    const { athleteId, sport, sex, positionGroup, level, verified, bornBy } = row;
    const standings = standingsOf(row);
    const score = computeTalentScore({ sport, standings, positionGroup: positionGroup || null, level, verified });
    const age = bornBy === null ? null : ageOn(bornBy, today);
    const emerging = isEmerging(score, age);
    const listPlace = listPlaceOf({ sport, emerging }, score, age);
    const profile = profileOf({ sport, sex, positionGroup: positionGroup || null }, score);
    const { talentScore, confidence } = score;
    const written = { athleteId, sport, standings, talentScore, confidence, emerging, listPlace };
    return { ...written, profileGroup: profile?.group ?? null, profile: profile?.coordinates ?? null };
  });
  if (rows.length === 0) return;
  await writePercentiles(database, rows);
  await database.query(sql`/* prospects.writeScores */
    update prospect p set version = p.version + 1, computed_at = now(), standings = r.standings, talent_score = r."talentScore",
      confidence = r.confidence, emerging = r.emerging, list_place = r."listPlace",
      profile_group = r."profileGroup", profile = cube(r.profile), model_version = ${modelVersion}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("athleteId" uuid, sport text, standings jsonb, "talentScore" int,
      confidence numeric, emerging boolean, "listPlace" int, "profileGroup" text, profile float8[])
    where p.sport = r.sport and p.athlete_id = r."athleteId"
      and (p.standings, p.talent_score, p.confidence, p.emerging, p.list_place, p.profile_group, p.profile, p.model_version)
        is distinct from (r.standings, r."talentScore", r.confidence, r.emerging, r."listPlace", r."profileGroup", cube(r.profile), ${modelVersion})`);
}
