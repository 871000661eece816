/** Prospects: the SQL of their reads. They are written by athlete-projection.ts and scoring.ts alone. */
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { readPage, type Page, type Sort } from '../../../platform/lists/page.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { findVisibleAthleteIds } from './visibility.ts';
import { readProspectFacets } from './facets.ts';
import { selectiveThreshold, prospectConditions } from './filter.ts';
import type { Level, ProspectFilter, ProspectSort, QueryProspectsArgs, Sex } from '../resolvers.generated.ts';
import { computeTalentScore, type TalentScore, type Standing } from '../talent/talent-score.ts';

export interface ProspectRow {
  readonly id: string;
  readonly athleteId: string;
  readonly version: number;
  readonly sport: Sport;
  readonly positions: string[];
  readonly positionGroup: string;
  readonly sex: Sex;
  readonly level: Level | null;
  readonly ageBand: string | null;
  readonly birthQuarter: number | null;
  readonly verified: boolean;
  readonly standings: Standing[];
  readonly talentScore: number;
  readonly confidence: number;
  readonly emerging: boolean;
  readonly modelVersion: string;
  readonly computedAt: string;
}

export type ProspectPage = Page<ProspectRow>;

/** A page, and the conditions of what was looked for. */
export interface ProspectDiscovery extends ProspectPage {
  readonly where: readonly Sql[];
}

const prospects = table<ProspectRow>('prospect', {
  id: 'plain',
  athleteId: 'plain',
  version: 'plain',
  sport: 'plain',
  positions: 'plain',
  positionGroup: 'plain',
  sex: 'plain',
  level: 'plain',
  ageBand: 'plain',
  birthQuarter: 'plain',
  verified: 'plain',
  standings: 'jsonb',
  talentScore: 'plain',
  confidence: 'plain',
  emerging: 'plain',
  modelVersion: 'plain',
  computedAt: 'plain',
});

const scores = new WeakMap<ProspectRow, TalentScore>();

/** The score as it was computed when the row was written: by the same facts the same. */
export function scoreOfRow(row: ProspectRow): TalentScore {
  const known = scores.get(row) ?? computeTalentScore({ ...row, positionGroup: row.positionGroup || null });
  scores.set(row, known);
  return known;
}

/** Whom the numbers of a row are compared with; where nothing is compared, whom they would be. */
export function cohortOf(row: ProspectRow) {
  const { sport, sex, ageBand, positionGroup, level } = row;
  const own = { ageBand, position: positionGroup || null, level, n: null };
  return { sport, sex, ...(scoreOfRow(row).cohort ?? own) };
}

export type CohortRow = Omit<ReturnType<typeof cohortOf>, 'n'> & { readonly n: number | null };

/** The numbers of a row that are compared. */
export function comparedNumbersOf({ sport, sex, standings }: ProspectRow) {
  return standings.map(({ metric, eventCode, growth, cohort, ...each }) => ({
    ...each,
    metricKey: metric,
    eventCode: eventCode || null,
    growthPercentile: growth,
    cohort: { sport, sex, ...cohort },
  }));
}

const sorts: Readonly<Record<ProspectSort, Sort<ProspectRow>>> = {
  TALENT_SCORE_DESC: { column: sql`prospect.talent_score`, type: 'int', direction: 'desc', value: (row) => row.talentScore },
  COMPUTED_AT_DESC: { column: sql`prospect.computed_at`, type: 'timestamptz', direction: 'desc', value: (row) => row.computedAt },
};

/** A page without those whose athletes were hidden since scouting heard of them; its cursors stay. */
async function withoutHidden(context: Context, page: ProspectPage): Promise<ProspectPage> {
  const shown = await findVisibleAthleteIds(
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
export function createProspectReads({ database, cursors }: ListServices) {
  const byAthlete: BatchRead<string, ProspectRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<ProspectRow>(
      sql`/* prospects.byAthletes */ select ${prospects.columns} from prospect where is_primary and athlete_id = any(${[...ids]}::uuid[])`,
    );
    const shown = await findVisibleAthleteIds(
      context,
      rows.map((row) => row.athleteId),
    );
    return inOrder(
      ids,
      rows.filter((row) => shown.has(row.athleteId) && (viewer.sport === null || row.sport === viewer.sport)),
      (row) => row.athleteId,
    );
  };

  const conditionsOf = async (viewer: Viewer, filter: ProspectFilter) => [
    ...prospectConditions(viewer, filter),
    ...(await selectiveThreshold(database, viewer, filter)),
  ];

  return {
    byAthlete,
    facets: ({ where }: Pick<ProspectDiscovery, 'where'>) => readProspectFacets(database, where),
    async list(context: Context, args: QueryProspectsArgs): Promise<ProspectDiscovery> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const sort = args.sort ?? 'TALENT_SCORE_DESC';
      const where = await conditionsOf(viewer, filter);
      const list = {
        name: 'prospects.list',
        columns: prospects.columns,
        from: sql`prospect`,
        id: sql`prospect.id`,
        where,
        sort: sorts[sort],
        filter: [filter, sort, viewer.sport],
      };
      const page = await readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
      return { ...(await withoutHidden(context, page)), where };
    },
  };
}
