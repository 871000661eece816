/** Who sees which athlete: the one place that decides (domain.md section 4). A minor is seen by the owning account only. */
import { owns, seesEverything, type Viewer } from '../../schema/viewer.ts';
import { sql, type Sql } from '../../platform/database.ts';
import { requireAccount } from '../../platform/resource.ts';
import { latestToday } from '../age.ts';
import { isMinor } from './age.ts';
import type { AthleteStatus, Visibility } from './resolvers.generated.ts';

export interface VisibilityFacts {
  readonly accountId: string;
  readonly status: AthleteStatus;
  readonly visibility: Visibility;
  readonly adultFrom: string | null;
}

/** Whether everybody may see the profile. */
export function isPublic(row: VisibilityFacts): boolean {
  return row.status === 'ACTIVE' && row.visibility === 'PUBLIC' && !isMinor(row.adultFrom);
}

/** Whether a viewer may see a profile; `verified` says that the viewer's account holds a verified organization. */
export function maySee(viewer: Viewer, row: VisibilityFacts, verified: boolean): boolean {
  if (seesEverything(viewer) || owns(viewer, row.accountId)) return true;
  if (row.status !== 'ACTIVE' || isMinor(row.adultFrom)) return false;
  return row.visibility === 'PUBLIC' || (row.visibility === 'ORGANIZATIONS' && verified);
}

/** The same as a condition on the table `athlete`: what a list shows. Throws Problem api_key_missing (401) for `mine` without a key. */
export function visibleInLists(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`athlete.account_id = ${requireAccount(viewer)}`;
  if (seesEverything(viewer)) return sql`true`;
  const adult = sql`athlete.status = 'ACTIVE' and athlete.adult_from <= ${latestToday()}::date`;
  if (viewer.accountId === null) return sql`${adult} and athlete.visibility = 'PUBLIC'`;
  return sql`${adult} and (athlete.visibility = 'PUBLIC' or (athlete.visibility = 'ORGANIZATIONS'
    and exists (select from organization_account o where o.account_id = ${viewer.accountId} and o.verified)))`;
}

/** As visibleInLists, and the viewer's own besides: what belongs to an athlete (statistics) is seen where the athlete is. */
export function visibleOrOwn(viewer: Viewer): Sql {
  const listed = visibleInLists(viewer, false);
  return viewer.accountId === null ? listed : sql`((${listed}) or athlete.account_id = ${viewer.accountId})`;
}
