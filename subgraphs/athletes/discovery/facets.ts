/** Facet counts of public athletes. Triggers append changes of the counters (migration 0012); this module aggregates them. */
import { entriesOf, recordOf } from '../../../schema/records.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { facetCounts, roundedCount } from '../../../platform/lists/facets.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { AthleteFacets, FacetCount } from '../generated/resolvers.ts';

/** The counters of all sports. */
const allSports = '*';

/** The name of each facet's counters. */
const facets = {
  sport: 'SPORT',
  country: 'COUNTRY',
  nationality: 'NATIONALITY',
  sex: 'SEX',
  level: 'LEVEL',
  verified: 'VERIFIED',
  openToOpportunities: 'OPEN_TO_OPPORTUNITIES',
} as const satisfies Record<Exclude<keyof AthleteFacets, '__typename'>, string>;

interface Counter {
  readonly facet: string;
  readonly value: string;
  readonly count: number;
}

export interface Counters {
  /** The number of athletes, of the sport or of all sports. */
  readonly count: number | null;
  readonly facets: AthleteFacets;
}

/** Reads the counters of a sport, or of all sports. The facet `sport` always counts all sports. */
export async function readFacets(database: Queryable, sport: Sport | null): Promise<Counters> {
  const counters = await database.query<Counter>(sql`/* athletes.facets */
    select facet, value, sum(count)::bigint as count from (
      select sport, facet, value, count from athlete_facet
      union all select sport, facet, value, change from athlete_facet_change
    ) c where (sport = ${sport ?? allSports} and facet <> 'SPORT') or (sport = ${allSports} and facet = 'SPORT')
    group by facet, value having sum(count) > 0 order by sum(count) desc, value collate "C"`);
  const valuesOf = (facet: string): FacetCount[] => facetCounts(counters.filter((counter) => counter.facet === facet));
  return {
    count: roundedCount(counters.find(({ facet }) => facet === 'ALL')?.count ?? 0),
    facets: recordOf(entriesOf(facets).map(([name, facet]) => [name, valuesOf(facet)] as const)),
  };
}

/** Changes per statement. */
const batchSize = 20_000;

/** Aggregates changes into the counters. Only the relay calls it, so that writers never wait for a counter. Returns whether there may be more. */
export async function aggregateFacetChanges(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`/* athletes.aggregateFacets */
    with taken as (
      delete from athlete_facet_change where id = any(array(select id from athlete_facet_change order by id limit ${batchSize} for update skip locked))
      returning sport, facet, value, change
    ), added as (
      insert into athlete_facet as f (sport, facet, value, count)
      select sport, facet, value, sum(change) from taken group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
      on conflict (sport, facet, value) do update set count = f.count + excluded.count
    ) select from taken`);
  return rows.length === batchSize;
}
