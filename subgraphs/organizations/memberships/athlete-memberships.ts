/** The membership history of athletes, including ended memberships, latest first. */
import { sql } from '../../../platform/database/database.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { agreedStates, visibleAthlete, visibleMemberships } from '../organizations/visibility.ts';
import { administratorReads, memberships, type MembershipPage, type MembershipRow } from './rows.ts';

/** Sorts memberships with an unknown start date as the oldest. */
const unknownStart = '0001-01-01';

export interface HistoryKey extends PageKey {
  /** Only memberships in force on this day. */
  readonly asOf: string | null;
}

const newest = {
  column: sql`coalesce(membership.start_date, ${unknownStart}::date)`,
  type: 'date',
  direction: 'desc',
  value: ({ startDate }: MembershipRow) => startDate ?? unknownStart,
} as const;

const history = { columns: memberships.columns, table: 'membership', owner: 'athlete_id', sort: newest };

/** Agreed memberships of organizations and athletes that the viewer can read. */
function conditions(viewer: Viewer, day: string | null) {
  const inForce = sql`(membership.start_date is null or membership.start_date <= ${day}::date)
    and (membership.end_date is null or membership.end_date >= ${day}::date)`;
  return [
    sql`membership.status = any(${[...agreedStates]})`,
    visibleMemberships(viewer),
    visibleAthlete(viewer),
    ...(day === null ? [] : [inForce]),
    ...(viewer.sport ? [sql`(membership.sport is null or membership.sport = ${viewer.sport})`] : []),
  ];
}

/** Creates the reads of membership histories. */
export function createAthleteMemberships({ database, cursors }: AreaServices) {
  const ofAthletes: BatchRead<HistoryKey, MembershipPage> = async (keys, context) => {
    const { viewer } = context;
    const read = new Map<HistoryKey, MembershipPage>();
    for (const [day, group] of Map.groupBy(keys, ({ asOf }) => asOf)) {
      const name = `memberships.ofAthletes${day === null ? '' : ` ${day}`}`;
      const list = { ...history, name, where: conditions(viewer, day) };
      const pages = await administratorReads.pages(context, await readPages<MembershipRow>(database, cursors, list, group));
      group.forEach((key, index) => {
        const page = pages[index];
        if (page) read.set(key, page);
      });
    }
    return keys.map((key) => {
      const page = read.get(key);
      if (!page) throw new Error('a page of memberships was not read');
      return page;
    });
  };

  /** All memberships in any status, for the export to the owner of the athlete. */
  const exported: BatchRead<PageKey, MembershipPage> = (keys) =>
    readPages<MembershipRow>(database, cursors, { ...history, name: 'memberships.exported', where: [] }, keys);

  return { ofAthletes, exported };
}
