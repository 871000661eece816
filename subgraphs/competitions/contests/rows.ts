/** The table row of a contest and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { AgeGroup, CompetitionCategory } from '../generated/resolvers.ts';
import { isPublished, partFields, type SeasonPartRow } from '../season-parts/rows.ts';

export interface ContestRow extends SeasonPartRow {
  readonly name: string;
  readonly eventCode: string | null;
  readonly category: CompetitionCategory | null;
  readonly ageGroup: AgeGroup | null;
  readonly weightClass: string | null;
  /** Of a Para contest, such as T44. */
  readonly sportClass: string | null;
  readonly course: string | null;
  readonly distanceMeters: number | null;
  readonly relay: boolean;
  /** Created automatically with the first match of a season that has no contest. */
  readonly implied: boolean;
  readonly ordinal: number;
}

export const contestResource: Resource<ContestRow> = {
  type: 'contest',
  // prettier-ignore
  table: table<ContestRow>('contest', {
    ...partFields, name: 'plain', eventCode: 'plain', category: 'plain', ageGroup: 'plain', weightClass: 'plain', sportClass: 'plain', course: 'plain',
    distanceMeters: 'plain', relay: 'plain', implied: 'plain', ordinal: 'plain',
  }),
  created: 'contest.created',
  updated: 'contest.updated',
  deleted: 'contest.deleted',
  required: ['name', 'ordinal', 'relay'],
  isPublic: isPublished,
};

export type ContestPage = Page<ContestRow>;
