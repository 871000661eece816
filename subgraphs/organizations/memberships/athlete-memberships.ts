/** The memberships of athletes, ended ones too, the newest first: where somebody was, and is. */
import { sql } from '../../../platform/database/database.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { membershipResource, type MembershipPage, type MembershipRow } from './reads.ts';
import { agreedStates, visibleAthlete, visibleMemberships } from '../organizations/visibility.ts';

/** Sorts those of which nobody knows when they began as the oldest. */
const unknownStart = '0001-01-01';

export interface HistoryKey extends PageKey {
  /** Only those in force on this day. */
  readonly asOf: string | null;
}

/** Reads the histories of athletes: what both sides have agreed, of organizations and athletes that the viewer may see. */
export function createAthleteMemberships({ database, cursors }: AreaServices) {
  const newest = {
    column: sql`coalesce(membership.start_date, ${unknownStart}::date)`,
    type: 'date',
    direction: 'desc',
    value: ({ startDate }: MembershipRow) => startDate ?? unknownStart,
  } as const;
  const whole = { columns: membershipResource.table.columns, table: 'membership', owner: 'athlete_id', sort: newest };

  const ofAthletes: BatchRead<HistoryKey, MembershipPage> = async (keys, { viewer }) => {
    const read = new Map<HistoryKey, MembershipPage>();
    for (const [day, group] of Map.groupBy(keys, ({ asOf }) => asOf)) {
      const inForce = sql`(membership.start_date is null or membership.start_date <= ${day}::date)
        and (membership.end_date is null or membership.end_date >= ${day}::date)`;
      const found = await readPages<MembershipRow>(
        database,
        cursors,
        {
          ...whole,
          name: `memberships.ofAthletes${day === null ? '' : ` ${day}`}`,
          where: [
            sql`membership.status = any(${[...agreedStates]})`,
            visibleMemberships(viewer),
            visibleAthlete(viewer),
            ...(day === null ? [] : [inForce]),
            ...(viewer.sport ? [sql`(membership.sport is null or membership.sport = ${viewer.sport})`] : []),
          ],
        },
        group,
      );
      group.forEach((key, index) => {
        const page = found[index];
        if (page) read.set(key, page);
      });
    }
    return keys.map((key) => {
      const page = read.get(key);
      if (!page) throw new Error('a page of memberships was not read');
      return page;
    });
  };
  /** All that is held, in any state: for the owner of the athlete. */
  const exported: BatchRead<PageKey, MembershipPage> = (keys) =>
    readPages<MembershipRow>(database, cursors, { ...whole, name: 'memberships.exported', where: [] }, keys);

  return { ofAthletes, exported };
}
