/** Facets of a prospect search: the number of results by filter value. */
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { facetCounts } from '../../../platform/lists/facets.ts';
import type { ProspectFacets } from '../generated/resolvers.ts';

/** The number of results that are counted. It bounds the cost of a search. */
const countedMax = 5000;

interface Counter {
  readonly facet: 'ALL' | 'AGE_BAND' | 'POSITION' | 'LEVEL' | 'COUNTRY' | 'SEX';
  readonly value: string;
  readonly count: number;
}

/** Counts the results with the highest scores. */
export async function readProspectFacets(database: Queryable, where: readonly Sql[]): Promise<ProspectFacets> {
  const counters = await database.query<Counter>(sql`/* prospects.facets */
    with found as materialized (
      select age_band, position_group, level, country, sex from prospect where ${join([...where], ' and ')}
      order by talent_score desc, id desc limit ${countedMax + 1}::int)
    select facet, value, count(*)::int as count from found, lateral (values ('ALL', ''), ('AGE_BAND', age_band), ('POSITION', nullif(position_group, '')),
      ('LEVEL', level), ('COUNTRY', country), ('SEX', sex)) f(facet, value) where value is not null group by facet, value`);
  const countersOf = (facet: Counter['facet']) => counters.filter((counter) => counter.facet === facet);
  return {
    capped: (countersOf('ALL')[0]?.count ?? 0) > countedMax,
    ageBand: facetCounts(countersOf('AGE_BAND')),
    position: facetCounts(countersOf('POSITION')),
    level: facetCounts(countersOf('LEVEL')),
    country: facetCounts(countersOf('COUNTRY')),
    sex: facetCounts(countersOf('SEX')),
  };
}
