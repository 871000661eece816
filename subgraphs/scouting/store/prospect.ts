/** Prospects: the SQL of their reads. They are written by projection.ts alone. */
import { expandPositions, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database.ts';
import type { ListServices } from '../../../platform/list.ts';
import { readPage, type Page, type Sort } from '../../../platform/page.ts';
import { inOrder, table } from '../../../platform/table.ts';
import { birthday, latestToday } from '../../age.ts';
import type { BatchRead, Context } from '../../subgraph.ts';
import { shownAmong } from '../shown-athletes.ts';
import type { Level, ProspectFilter, ProspectSort, QueryProspectsArgs, Sex } from '../resolvers.generated.ts';
import type { Component } from '../score.ts';

export interface ProspectRow {
  readonly id: string;
  readonly athleteId: string;
  readonly version: number;
  readonly sport: Sport;
  readonly positions: string[];
  readonly sex: Sex;
  readonly level: Level | null;
  readonly ageBand: string | null;
  readonly cohort: string;
  readonly talentScore: number;
  readonly components: Component[];
  readonly confidence: number;
  readonly modelVersion: string;
  readonly computedAt: string;
}

export type ProspectPage = Page<ProspectRow>;

const prospects = table<ProspectRow>('prospect', {
  id: 'plain',
  athleteId: 'plain',
  version: 'plain',
  sport: 'plain',
  positions: 'plain',
  sex: 'plain',
  level: 'plain',
  ageBand: 'plain',
  cohort: 'plain',
  talentScore: 'plain',
  components: 'jsonb',
  confidence: 'plain',
  modelVersion: 'plain',
  computedAt: 'plain',
});

const sorts: Readonly<Record<ProspectSort, Sort<ProspectRow>>> = {
  TALENT_SCORE_DESC: { column: sql`prospect.talent_score`, type: 'int', direction: 'desc', value: (row) => row.talentScore },
  COMPUTED_AT_DESC: { column: sql`prospect.computed_at`, type: 'timestamptz', direction: 'desc', value: (row) => row.computedAt },
};

/** Fewer are not told: a small number says who it is. */
const smallestCohort = 10;

/** One sport is compared with `=`, so that the index of sport and score gives the order. */
function ofSports(sports: readonly Sport[]): Sql {
  return sports.length === 1 ? sql`prospect.sport = ${sports[0]}` : sql`prospect.sport = any(${[...sports]})`;
}

function conditions(viewer: Viewer, filter: ProspectFilter): Sql[] {
  const where: Sql[] = [];
  if (filter.sport) where.push(ofSports(filter.sport));
  if (viewer.sport) where.push(ofSports([viewer.sport]));
  if (filter.position) {
    const [sport] = filter.sport?.length === 1 ? filter.sport : [viewer.sport];
    where.push(sql`prospect.positions && ${expandPositions(sport ?? null, filter.position)}`);
  }
  if (filter.sex) where.push(sql`prospect.sex = any(${filter.sex})`);
  if (filter.country) where.push(sql`prospect.country = any(${filter.country})`);
  if (typeof filter.ageMax === 'number')
    where.push(sql`prospect.born_by > ${birthday(latestToday(), -(filter.ageMax + 1))}::date`);
  // Scores are whole points, and their index knows no fractions.
  if (typeof filter.minScore === 'number') where.push(sql`prospect.talent_score >= ${Math.ceil(filter.minScore)}::int`);
  return where;
}

/** A page without those whose athletes were hidden since scouting heard of them; its cursors stay. */
async function withoutHidden(context: Context, page: ProspectPage): Promise<ProspectPage> {
  const shown = await shownAmong(
    context,
    page.nodes.map((row) => row.athleteId),
  );
  return {
    ...page,
    nodes: page.nodes.filter((row) => shown.has(row.athleteId)),
    edges: () => page.edges().filter(({ node }) => shown.has(node.athleteId)),
  };
}

/** Reads of prospects over the area's database. */
export function createProspectStore({ database, cursors }: ListServices) {
  const byAthlete: BatchRead<string, ProspectRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<ProspectRow>(
      sql`/* prospects.byAthletes */ select ${prospects.columns} from prospect where athlete_id = any(${[...ids]}::uuid[])`,
    );
    const shown = await shownAmong(
      context,
      rows.map((row) => row.athleteId),
    );
    return inOrder(
      ids,
      rows.filter((row) => shown.has(row.athleteId) && (viewer.sport === null || row.sport === viewer.sport)),
      (row) => row.athleteId,
    );
  };

  /** How many prospects cohorts hold; null for small ones. */
  const cohortSizes: BatchRead<string, number | null> = async (cohorts) => {
    const rows = await database.query<{ cohort: string; n: number }>(
      sql`/* prospects.cohortSizes */ select cohort, count(*) as n from prospect where cohort = any(${[...cohorts]}) group by cohort`,
    );
    const sizes = new Map(rows.map(({ cohort, n }) => [cohort, n]));
    return cohorts.map((cohort) => {
      const n = sizes.get(cohort) ?? 0;
      return n < smallestCohort ? null : n;
    });
  };

  return {
    byAthlete,
    cohortSizes,
    async list(context: Context, args: QueryProspectsArgs): Promise<ProspectPage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const sort = args.sort ?? 'TALENT_SCORE_DESC';
      const list = {
        name: 'prospects.list',
        columns: prospects.columns,
        from: sql`prospect`,
        id: sql`prospect.id`,
        where: conditions(viewer, filter),
        sort: sorts[sort],
        filter: [filter, sort, viewer.sport],
      };
      return withoutHidden(context, await readPage(database, cursors, list, { first: args.first ?? 20, after: args.after }));
    },
  };
}
