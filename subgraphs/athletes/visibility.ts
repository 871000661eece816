/** Who sees which athlete: the one place that decides (domain.md section 4). A minor is seen by the owning account only. */
import { owns, seesEverything, type Viewer } from '../../schema/viewer.ts';
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
