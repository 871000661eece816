/** The table row of a season and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import type { SeasonStatus, Sport } from '../generated/resolvers.ts';
import { seasonTransitions } from './rules.ts';

export interface SeasonRow extends ResourceRow {
  readonly status: SeasonStatus;
  readonly competitionId: string;
  readonly published: boolean;
  readonly sport: Sport;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  /** A copy of the competition's rules at creation, or the season's own rules. Null in seasons created before ranking rules existed: the sport's defaults. */
  readonly rankingRules: RankingRules | null;
}

export type SeasonPage = Page<SeasonRow>;

// prettier-ignore
const seasons = table<SeasonRow>('season', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', competitionId: 'plain',
  published: 'plain', sport: 'plain', name: 'plain', startDate: 'plain', endDate: 'plain', rankingRules: 'jsonb',
});

export const seasonResource: Resource<SeasonRow> = {
  type: 'season',
  table: seasons,
  created: 'season.created',
  updated: 'season.updated',
  required: ['name', 'startDate', 'endDate'],
  replaced: ['rankingRules'],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'PLANNED', transitions: seasonTransitions },
};
