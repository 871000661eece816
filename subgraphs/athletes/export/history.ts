/** The history of an athlete, for the export of the owner. */
import { sql } from '../../../platform/database/database.ts';
import { readPage, type Page, type PageArguments } from '../../../platform/lists/page.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { profileIds } from '../athletes/removed-athletes.ts';

export interface HistoryRow {
  readonly id: string;
  readonly at: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly accountId: string | null };
  /** {member: [before, after]} */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

export type HistoryPage = Page<HistoryRow>;

/** Creates the read of a profile's history, including its duplicates, absences, consents and statistics, latest first. Callers authorize the owner. */
export function createExportHistory({ database, cursors }: AreaServices) {
  return (athleteId: string, args: PageArguments): Promise<HistoryPage> => {
    const list = {
      name: 'athletes.exportHistory',
      columns: sql`history.id, at, resource_type as "resourceType", resource_id as "resourceId", version, action, actor, changes`,
      from: sql`history`,
      id: sql`history.id`,
      where: [
        sql`(resource_type, resource_id) in (with profile as ${profileIds(athleteId)} select 'athlete', id from profile
          union all select 'consent', id from consent where athlete_id in (select id from profile)
          union all select 'absence', id from absence where athlete_id in (select id from profile)
          union all select 'statistics', id from statistics where athlete_id in (select id from profile))`,
      ],
      sort: { column: sql`at`, type: 'timestamptz', direction: 'desc', value: (row: HistoryRow) => row.at },
      filter: athleteId,
    } as const;
    return readPage<HistoryRow>(database, cursors, list, args);
  };
}
