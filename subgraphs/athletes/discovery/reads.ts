/** SQL reads of discovery: facet counts, and short lists of adults with a whole profile in lists of the viewer. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import { latestToday } from '../../runtime/age.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { freshDays } from './season-growth.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { noteAthletes } from '../athletes/reads.ts';
import { readFacets, type Counters } from './facets.ts';
import type { RiseRow } from './rising-athletes.ts';
import { competesIn, listedAdults } from '../athletes/visible-rows.ts';

/** The athletes of a sport, or of all sports. */
export interface Discovery {
  readonly sport: Sport | null;
}

/** A short list, and the path of the full list. */
export interface CuratedRows {
  readonly nodes: readonly AthleteRow[];
  readonly list: string;
}

export interface RisingRows {
  readonly nodes: readonly RiseRow[];
}

/** The filter of each curated list, its condition and its order. */
const curated = {
  newlyVerified: {
    name: 'verified',
    condition: sql`athlete.verified`,
    order: sql`athlete.verification ->> 'at' desc, athlete.id`,
  },
  openToOpportunities: {
    name: 'openToOpportunities',
    condition: sql`athlete.open_to_opportunities`,
    order: sql`athlete.created_at desc, athlete.id desc`,
  },
} as const;

const listOf = (filter: string, sport: Sport | null): string =>
  `/athletes?${filter}=true${sport === null ? '' : `&sport=${sport}`}`;

/** Creates the reads of discovery. */
export function createDiscovery({ database }: Pick<AreaServices, 'database'>) {
  const counters: BatchRead<string, Counters> = (sports) =>
    Promise.all(sports.map((sport) => readFacets(database, sportNames.find((name) => name === sport) ?? null)));

  return {
    /** One read serves the count and the facets. An empty key means all sports. */
    counters: ({ sport }: Discovery, context: Context): Promise<Counters> => context.load(counters, sport ?? ''),
    async curated(
      context: Context,
      { sport }: Discovery,
      section: keyof typeof curated,
      first: number,
      columns: Sql,
    ): Promise<CuratedRows> {
      const { name, condition, order } = curated[section];
      const where = [condition, listedAdults(context.viewer), competesIn(sport)];
      const nodes = await database.query<AthleteRow>(sql`/* athletes.curated */ select ${columns} from athlete
        where ${join(where, ' and ')} order by ${order} limit ${first}`);
      noteAthletes(context, nodes);
      return { nodes, list: listOf(name, sport) };
    },
    /** Athletes by growth. Over all sports, the first of each sport come before the second of each. */
    async rising({ viewer, notes }: Context, { sport }: Discovery, first: number): Promise<RisingRows> {
      const sports = sport === null ? sportNames : [sport];
      const nodes = await database.query<RiseRow>(sql`/* athletes.rising */
        select r.* from unnest(${[...sports]}::text[]) with ordinality as s(sport, place), lateral (
          select r.athlete_id as "athleteId", r.sport, r.event_code as "eventCode", r.metric, r.season_id as "seasonId",
            r.value_before as "valueBefore", r.value_after as "valueAfter", r.as_of as "asOf",
            row_number() over (order by r.growth desc, r.athlete_id) as rank
          from athlete_rise r join athlete on athlete.id = r.athlete_id
          where r.sport = s.sport and r.as_of >= ${latestToday()}::date - ${freshDays}::int and ${listedAdults(viewer)}
          order by r.growth desc, r.athlete_id limit ${first}
        ) r order by r.rank, s.place limit ${first}`);
      if (nodes.length > 0) notes.person = true;
      return { nodes };
    },
  };
}
