/** The table row of a competition and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { namesOf, searchText } from '../../../platform/lists/search.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import type { AgeGroup, CompetitionCategory, CompetitionStatus, CompetitionType, Level, Sport } from '../generated/resolvers.ts';
import { competitionTransitions } from './rules.ts';

export interface CompetitionRow extends ResourceRow {
  readonly status: CompetitionStatus;
  readonly name: string;
  readonly names: { readonly language: string; readonly value: string }[];
  readonly code: string | null;
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly type: CompetitionType;
  readonly category: CompetitionCategory | null;
  readonly ageGroup: AgeGroup | null;
  readonly level: Level | null;
  readonly country: string | null;
  readonly organizerId: string | null;
  readonly organizerName: string | null;
  /** 1 is the highest. */
  readonly tier: number | null;
  readonly promotesToId: string | null;
  /** ID of the uploaded emblem. */
  readonly imageId: string | null;
  /** Null: the default rules of the sport apply. */
  readonly rankingRules: RankingRules | null;
}

export type CompetitionPage = Page<CompetitionRow>;

// prettier-ignore
const competitions = table<CompetitionRow>('competition', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', name: 'plain', names: 'jsonb', code: 'plain',
  sport: 'plain', discipline: 'plain', type: 'plain', category: 'plain', ageGroup: 'plain', level: 'plain', country: 'plain',
  organizerId: 'plain', organizerName: 'plain', tier: 'plain', promotesToId: 'plain', imageId: 'plain', rankingRules: 'jsonb',
});

const isPublic = (row: CompetitionRow): boolean => row.status !== 'DRAFT';

export const competitionResource: Resource<CompetitionRow> = {
  type: 'competition',
  table: competitions,
  created: 'competition.created',
  updated: 'competition.updated',
  deleted: 'competition.deleted',
  required: ['name', 'names', 'type'],
  replaced: ['rankingRules'],
  isPublic,
  lifecycle: { initial: 'DRAFT', transitions: competitionTransitions },
  computed: (row) => ({ search: searchText([row.name, row.code, ...namesOf(row.names)]) }),
};
