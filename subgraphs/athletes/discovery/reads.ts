/** Discovery: counts by what athletes are, and short lists of whole profiles that the viewer finds in lists. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import { latestToday } from '../../runtime/age.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { freshDays } from './season-growth.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { noteAthletes } from '../athletes/reads.ts';
import { readFacets, type Counters } from './facets.ts';
import type { RiseRow } from './rising-athletes.ts';
import { competesIn, visibleInLists } from '../athletes/visible-rows.ts';

/** What is discovered: athletes of a sport, or of all. */
export interface Discovery {
  readonly sport: Sport | null;
}

/** A short list, and where the whole of it is. */
export interface CuratedRows {
  readonly nodes: readonly AthleteRow[];
  readonly list: string;
}

export interface RisingRows {
  readonly nodes: readonly RiseRow[];
}

/** Which of them come first, and the filter of the list that holds them all. */
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

/** Adults whose whole profile the viewer finds in lists. */
const shown = (viewer: Viewer): Sql => sql`not athlete.activated_as_minor and ${visibleInLists(viewer, false, ['PROFILE'])}`;

/** Reads of discovery over the area's database. */
export function createDiscovery({ database }: Pick<AreaServices, 'database'>) {
  const counters: BatchRead<string, Counters> = (sports) =>
    Promise.all(sports.map((sport) => readFacets(database, sport === '' ? null : (sport as Sport))));

  return {
    /** Read once, whatever of it is asked for. */
    counters: ({ sport }: Discovery, context: Context): Promise<Counters> => context.load(counters, sport ?? ''),
    async curated(
      context: Context,
      { sport }: Discovery,
      section: keyof typeof curated,
      first: number,
      columns: Sql,
    ): Promise<CuratedRows> {
      const { name, condition, order } = curated[section];
      const where = [condition, shown(context.viewer), competesIn(sport)];
      const nodes = await database.query<AthleteRow>(sql`/* athletes.curated */ select ${columns} from athlete
        where ${join(where, ' and ')} order by ${order} limit ${first}`);
      noteAthletes(context, nodes);
      return { nodes, list: listOf(name, sport) };
    },
    /** Of each sport those who grew most; over all sports the first of each, then the second of each. */
    async rising({ viewer, notes }: Context, { sport }: Discovery, first: number): Promise<RisingRows> {
      const sports = sport === null ? sportNames : [sport];
      const nodes = await database.query<RiseRow>(sql`/* athletes.rising */
        select r.* from unnest(${[...sports]}::text[]) with ordinality as s(sport, place), lateral (
          select r.athlete_id as "athleteId", r.sport, r.event_code as "eventCode", r.metric, r.season_id as "seasonId",
            r.value_before as "valueBefore", r.value_after as "valueAfter", r.as_of as "asOf",
            row_number() over (order by r.growth desc, r.athlete_id) as rank
          from athlete_rise r join athlete on athlete.id = r.athlete_id
          where r.sport = s.sport and r.as_of >= ${latestToday()}::date - ${freshDays}::int and ${shown(viewer)}
          order by r.growth desc, r.athlete_id limit ${first}
        ) r order by r.rank, s.place limit ${first}`);
      if (nodes.length > 0) notes.person = true;
      return { nodes };
    },
  };
}
