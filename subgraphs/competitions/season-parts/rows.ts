/** What the rows of all parts of a season have in common: contests, stages, participants, adjustments and tie-break decisions. */
import type { ResourceRow } from '../../../platform/writes/resource.ts';
import type { Sport } from '../generated/resolvers.ts';

export interface SeasonPartRow extends ResourceRow {
  /** Copied from the season. */
  readonly published: boolean;
  readonly seasonId: string;
  readonly sport: Sport;
}

export const partFields = {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  published: 'plain',
  seasonId: 'plain',
  sport: 'plain',
} as const;

export const isPublished = (row: SeasonPartRow): boolean => row.published;
