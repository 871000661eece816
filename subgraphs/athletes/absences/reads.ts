/** SQL reads of absences. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { visibleTeamIds } from '../../clients/team-facts.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { isCurrentAndVisible } from '../athletes/current-membership.ts';
import { createAthleteNotes } from '../athletes/athlete-notes.ts';
import type { AthleteReads } from '../athletes/reads.ts';
import { competesIn } from '../athletes/visible-rows.ts';
import type { AbsenceFilter, QueryAbsencesArgs } from '../generated/resolvers.ts';
import { absenceResource, absences, type AbsencePage, type AbsenceRow } from './rows.ts';
import { detailedAbsences, ownAbsences, visibleAbsences } from './visible-absences.ts';

const latest = sortBy(absences, 'startDate', 'date', 'desc');

const withAthletes = sql`absence join athlete on athlete.id = absence.athlete_id`;

/** Athletes who are members today, in a membership that the viewer can read. */
const currentMember = (viewer: Viewer, place: Sql): Sql =>
  sql`exists (select from membership m where m.athlete_id = absence.athlete_id and ${place} and ${isCurrentAndVisible(viewer)})`;

function conditions(viewer: Viewer, filter: AbsenceFilter): Sql[] {
  const { athleteId, organizationId, teamId, competitionId, kind, date, mine } = filter;
  const where = [mine ? ownAbsences(requireAccount(viewer)) : visibleAbsences(viewer), competesIn(viewer.sport)];
  if (athleteId) where.push(oneOf(sql`absence.athlete_id`, athleteId));
  if (organizationId) where.push(currentMember(viewer, oneOf(sql`m.organization_id`, organizationId)));
  if (teamId) where.push(currentMember(viewer, oneOf(sql`m.team_id`, teamId)));
  if (competitionId) where.push(oneOf(sql`absence.competition_id`, competitionId), detailedAbsences(viewer));
  if (kind) where.push(oneOf(sql`absence.kind`, kind), detailedAbsences(viewer));
  if (date)
    where.push(sql`absence.start_date <= ${date}::date and (absence.end_date is null or absence.end_date >= ${date}::date)`);
  return where;
}

/** Creates the reads of absences. */
export function createAbsenceReads(services: AreaServices, athletes: Pick<AthleteReads, 'byIdOfAnySport'>) {
  const { database, cursors } = services;
  const note = createAthleteNotes(services, athletes);

  const byId: BatchRead<string, AbsenceRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<AbsenceRow>(
      sql`/* absences.byIds */ select ${absences.columns} from ${withAthletes}
      where absence.id = any(${[...ids]}::uuid[]) and ${competesIn(viewer.sport)} and ${visibleAbsences(viewer)}`,
      'PAGE',
    );
    await note(context, rows, 'ABSENCES');
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'absence', ids);

  const nested = {
    columns: absences.columns,
    table: 'absence',
    from: withAthletes,
    owner: sql`absence.athlete_id`,
    sort: latest,
  };

  /** Of athletes that the viewer has already read. */
  const pagesOfAthletes: BatchRead<PageKey, AbsencePage> = async (keys, context) => {
    const list = { ...nested, name: 'absences.ofAthletes', where: [visibleAbsences(context.viewer)] };
    const pages = await readPages<AbsenceRow>(database, cursors, list, keys);
    // other viewers of minors are in the log by the read of the profile
    if (context.viewer.administrator)
      await note(
        context,
        pages.flatMap(({ nodes }) => [...nodes]),
        'ABSENCES',
      );
    return pages;
  };

  /** All of them, for the export to the owner of the athlete. */
  const exported: BatchRead<PageKey, AbsencePage> = (keys) =>
    readPages<AbsenceRow>(database, cursors, { ...nested, name: 'absences.exported', where: [] }, keys);

  return {
    byId,
    externalIds,
    pagesOfAthletes,
    exported,
    async list(context: Context, args: QueryAbsencesArgs): Promise<AbsencePage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const teamId = await visibleTeamIds(context, filter.teamId);
      const list = {
        name: 'absences.list',
        resource: absenceResource,
        from: withAthletes,
        where: conditions(viewer, { ...filter, teamId }),
        sort: latest,
      };
      const page = await readList({ database, cursors }, list, viewer, args);
      await note(context, page.nodes, 'ABSENCES');
      return page;
    },
  };
}

export type AbsenceReads = ReturnType<typeof createAbsenceReads>;
