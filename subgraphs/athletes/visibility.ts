/** Whether everybody sees an athlete; who else does is a condition of SQL, in store/visibility.ts (domain.md section 4). */
import { isMinor } from './age.ts';
import type { AthleteStatus, Visibility } from './resolvers.generated.ts';

export interface VisibilityFacts {
  readonly status: AthleteStatus;
  readonly visibility: Visibility;
  readonly adultFrom: string | null;
}

/** Whether everybody may see the profile. */
export function isPublic(row: VisibilityFacts): boolean {
  return row.status === 'ACTIVE' && row.visibility === 'PUBLIC' && !isMinor(row.adultFrom);
}
