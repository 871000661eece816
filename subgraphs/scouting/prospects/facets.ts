/** Facets of a prospect search: the number of results by filter value. */
import { join, sql, type Queryable } from '../../../platform/database/database.ts';
import { facetCounts } from '../../../platform/lists/facets.ts';
import type { ProspectFacets } from '../generated/resolvers.ts';
import type { ProspectConditions } from './filter.ts';

/** The number of results that are counted, and of prospects that are compared with thresholds. They bound the cost of a search. */
const countedMax = 5000;
const comparedMax = 20_000;

interface Counter {
  readonly facet: 'COMPARED' | 'ALL' | 'AGE_BAND' | 'POSITION' | 'LEVEL' | 'COUNTRY' | 'SEX';
  readonly value: string;
  readonly count: number;
}

/** Counts the results with the highest scores. */
export async function readProspectFacets(
  database: Queryable,
  { where, thresholds }: ProspectConditions,
): Promise<ProspectFacets> {
  const max = thresholds.length === 0 ? countedMax : comparedMax;
  const counters = await database.query<Counter>(sql`/* prospects.facets */
    with compared as materialized (
      select talent_score, id, athlete_id, age_band, position_group, level, country, sex from prospect where ${join(where, ' and ')}
      order by talent_score desc, id desc limit ${max + 1}::int),
    found as materialized (
      select * from compared prospect where ${join([sql`true`, ...thresholds], ' and ')}
      order by talent_score desc, id desc limit ${countedMax + 1}::int)
    select facet, value, count(*)::int as count from found, lateral (values ('ALL', ''), ('AGE_BAND', age_band), ('POSITION', nullif(position_group, '')),
      ('LEVEL', level), ('COUNTRY', country), ('SEX', sex)) f(facet, value) where value is not null group by facet, value
    union all select 'COMPARED', '', count(*)::int from compared`);
  const countersOf = (facet: Counter['facet']) => counters.filter((counter) => counter.facet === facet);
  const totalOf = (facet: Counter['facet']): number => countersOf(facet)[0]?.count ?? 0;
  return {
    capped: totalOf('ALL') > countedMax || totalOf('COMPARED') > max,
    ageBand: facetCounts(countersOf('AGE_BAND')),
    position: facetCounts(countersOf('POSITION')),
    level: facetCounts(countersOf('LEVEL')),
    country: facetCounts(countersOf('COUNTRY')),
    sex: facetCounts(countersOf('SEX')),
  };
}
