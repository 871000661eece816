/** Similar athletes: the nearest profiles of the same group. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { redirectTo } from '../../clients/athlete-redirect.ts';
import { birthday, latestToday } from '../../runtime/age.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { QuerySimilarAthletesArgs, SimilarAthleteFilter } from '../generated/resolvers.ts';
import type { ProspectReads } from '../prospects/reads.ts';
import { radarOf, scoreOfRow } from '../prospects/row-score.ts';
import { prospects, type ProspectRow } from '../prospects/rows.ts';
import { findVisibleAthleteIds } from '../prospects/visibility.ts';
import { profileOf } from '../skills/profile.ts';

/** A prospect that is similar to a subject. */
export interface SimilarProspect {
  readonly prospect: ProspectRow;
  readonly similarity: number;
  readonly subject: ProspectRow;
}

/** The nearest athletes that are compared with a filter. They bound the cost of a filter that few athletes meet. */
const filteredMax = 2_000;
/** Athletes read in addition, in place of those that were hidden after the last projection. */
const spare = 10;
/** Rows read for each requested athlete: of some too few skills are known. */
const readFactor = 4;

function conditionsOf({ ageMax, level, country, minConfidence }: SimilarAthleteFilter): Sql[] {
  const where: Sql[] = [];
  if (level) where.push(oneOf(sql`prospect.level`, level));
  if (country) where.push(oneOf(sql`prospect.country`, country));
  if (typeof ageMax === 'number') where.push(sql`prospect.born_by > ${birthday(latestToday(), -(ageMax + 1))}::date`);
  if (typeof minConfidence === 'number') where.push(sql`prospect.confidence >= ${minConfidence}::float8`);
  return where;
}

const profileOfRow = (row: ProspectRow) => profileOf({ ...row, positionGroup: row.positionGroup || null }, scoreOfRow(row));

/** The number of skills that are known of both athletes. */
export const comparedSkillsOf = (pair: Pick<SimilarProspect, 'prospect' | 'subject'>): number =>
  similarSkillsOf(pair).filter(({ percentile, similarPercentile }) => percentile !== null && similarPercentile !== null).length;

type Pair = Pick<SimilarProspect, 'prospect' | 'subject'>;

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** The weight of the skills of both athletes that are known of both, from 0 to 1. */
function comparedWeightOf(pair: Pair): number {
  const compared = similarSkillsOf(pair).filter(
    ({ percentile, similarPercentile }) => percentile !== null && similarPercentile !== null,
  );
  const codes = compared.map(({ code }) => code);
  return sum(radarOf(pair.subject).flatMap(({ code, weight }) => (codes.includes(code) ? weight : [])));
}

/** Whether half of the skills that are known of the subject, by weight, are known of a prospect. */
function isKnownEnough(pair: Pair): boolean {
  const known = radarOf(pair.subject).flatMap(({ weight, overallPercentile }) => (overallPercentile === null ? [] : weight));
  return 2 * comparedWeightOf(pair) >= sum(known) - 1e-6;
}

/** The similarity of athletes of whom no skill is compared. */
const unknownSimilarity = 50;

/** The similarity at a distance, shrunk toward the middle by the weight of the skills that cannot be compared. */
function similarityOf(distance: number, pair: Pair): number {
  const weight = comparedWeightOf(pair);
  return weight * Math.max(0, 100 - distance) + (1 - weight) * unknownSimilarity;
}

export function createSimilarAthletes(
  { database }: Pick<AreaServices, 'database'>,
  { byAthlete }: Pick<ProspectReads, 'byAthlete'>,
) {
  /** The nearest rows of the group of a subject. Equal distances are ordered by id. */
  function findNearest(subject: ProspectRow, filter: SimilarAthleteFilter, limit: number) {
    const profile = profileOfRow(subject);
    if (profile === null) return Promise.resolve([]);
    const where = conditionsOf(filter);
    const nearest = where.length === 0 ? limit : filteredMax;
    return database.query<ProspectRow & { readonly distance: number }>(sql`/* prospects.similar */
      select ${prospects.columns}, prospect.distance from (
        select *, profile <-> cube(${[...profile.coordinates]}::float8[]) as distance from prospect
        where is_primary and profile_group = ${profile.group} and athlete_id <> ${subject.athleteId}
        order by profile <-> cube(${[...profile.coordinates]}::float8[]) limit ${nearest}::int) prospect
      ${where.length === 0 ? sql`` : sql`where ${join(where, ' and ')}`} order by prospect.distance, prospect.id limit ${limit}::int`);
  }

  /** Null if the athlete is no prospect that the viewer can read. */
  return async (
    context: Context,
    { athleteId, first = 10, filter }: QuerySimilarAthletesArgs,
  ): Promise<{ nodes: SimilarProspect[] } | null> => {
    context.notes.person = true;
    const subject = await context.load(byAthlete, athleteId);
    if (subject === null) return redirectTo(context, athleteId);
    const nearest = await findNearest(subject, filter ?? {}, (first + spare) * readFactor);
    const rows = nearest
      .filter((prospect) => isKnownEnough({ prospect, subject }))
      .map(({ distance, ...prospect }) => ({ prospect, subject, exact: similarityOf(distance, { prospect, subject }) }))
      .sort((one, other) => other.exact - one.exact || (one.prospect.id < other.prospect.id ? -1 : 1))
      .slice(0, first + spare);
    const visible = await findVisibleAthleteIds(
      context,
      rows.map(({ prospect }) => prospect.athleteId),
    );
    const nodes = rows
      .filter(({ prospect }) => visible.has(prospect.athleteId))
      .slice(0, first)
      .map(({ exact, ...pair }) => ({ ...pair, similarity: Math.round(exact) }));
    return { nodes };
  };
}

/** The skills of both athletes. They are of the same position group or event, so they have the same skills. */
export function similarSkillsOf({ prospect, subject }: Pick<SimilarProspect, 'prospect' | 'subject'>) {
  const own = new Map(radarOf(prospect).map((each) => [each.code, each.overallPercentile]));
  return radarOf(subject).map(({ code, title, overallPercentile }) => ({
    code,
    title,
    percentile: overallPercentile,
    similarPercentile: own.get(code) ?? null,
  }));
}
