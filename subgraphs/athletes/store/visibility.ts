/** Who sees which athlete: the one place that decides (domain.md section 4). A minor is seen by the owning account only. */
import { sql, type Sql } from '../../../platform/database.ts';
import { requireAccount } from '../../../platform/resource.ts';
import { seesEverything, type Viewer } from '../../../schema/viewer.ts';
import { latestToday } from '../../age.ts';

/** What a list of the table `athlete` shows. Throws Problem api_key_missing (401) for `mine` without a key. */
export function visibleInLists(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`athlete.account_id = ${requireAccount(viewer)}`;
  if (seesEverything(viewer)) return sql`true`;
  const adult = sql`athlete.status = 'ACTIVE' and athlete.adult_from <= ${latestToday()}::date`;
  if (viewer.accountId === null) return sql`${adult} and athlete.visibility = 'PUBLIC'`;
  return sql`${adult} and (athlete.visibility = 'PUBLIC' or (athlete.visibility = 'ORGANIZATIONS'
    and exists (select from organization_account o where o.account_id = ${viewer.accountId} and o.verified)))`;
}

/** As visibleInLists, and the viewer's own besides: a single athlete, and what belongs to one (statistics). */
export function visibleOrOwn(viewer: Viewer): Sql {
  const listed = visibleInLists(viewer, false);
  return viewer.accountId === null ? listed : sql`((${listed}) or athlete.account_id = ${viewer.accountId})`;
}

/** Whether the viewer may know of an organization, by its id: a hidden one says nothing of who belongs to it. */
export function organizationSeen(viewer: Viewer, id: Sql): Sql {
  if (seesEverything(viewer)) return sql`true`;
  const own = viewer.accountId === null ? sql`` : sql`or o.account_id = ${viewer.accountId}`;
  return sql`exists (select from organization_account o where o.organization_id = ${id} and (o.public ${own}))`;
}
