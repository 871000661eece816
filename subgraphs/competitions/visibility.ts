/** Which rows of the area a viewer can read by id. */
import { hasFullAccess, owns, type Viewer } from '../../schema/viewer.ts';
import type { Sport } from './generated/resolvers.ts';

interface VisibleRow {
  readonly accountId: string;
  readonly published: boolean;
  readonly sport: Sport;
}

/** Published rows are public. Unpublished rows are visible to their account and to administrators. A key limited to one sport reads that sport only. */
export function isVisible(viewer: Viewer, { accountId, published, sport }: VisibleRow): boolean {
  if (viewer.sport !== null && sport !== viewer.sport) return false;
  return published || owns(viewer, accountId) || hasFullAccess(viewer);
}
