/** The `opportunity` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { searchText } from '../../../platform/lists/search.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type {
  Academic,
  AgeRange,
  Award,
  ContractType,
  OpportunityStatus,
  OpportunityType,
  Requirement,
  Sex,
  Sport,
  TalentProfile,
  TrialSession,
} from '../generated/resolvers.ts';
import { opportunityTransitions } from './lifecycle.ts';

export interface OpportunityRow extends ResourceRow {
  /** Stored status. The API returns `statusAt` of lifecycle.ts. */
  readonly status: OpportunityStatus;
  readonly type: OpportunityType;
  readonly organizationId: string;
  /** Whether the organization is public. projections/organizations.ts keeps it current after publication. */
  readonly organizationPublic: boolean;
  readonly title: string;
  readonly description: string;
  readonly sport: Sport;
  readonly disciplines: string[];
  readonly positions: string[];
  readonly sex: Sex | null;
  readonly ageRange: AgeRange | null;
  readonly nationalities: string[];
  readonly country: string | null;
  readonly city: string | null;
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null;
  readonly venue: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly applicationOpensAt: string | null;
  readonly applicationDeadline: string;
  readonly totalOpenings: number;
  readonly remainingOpenings: number;
  readonly requirements: Requirement[];
  readonly languages: string[];
  readonly minorsAllowed: boolean;
  readonly award: Award | null;
  readonly academic: Academic | null;
  readonly sessions: TrialSession[];
  readonly attendingOrganizationIds: string[];
  readonly livestreamUrl: string | null;
  readonly profile: TalentProfile | null;
  readonly contractType: ContractType | null;
}

export type OpportunityPage = Page<OpportunityRow>;

// prettier-ignore
export const opportunities = table<OpportunityRow>('opportunity', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', type: 'plain',
  organizationId: 'plain', organizationPublic: 'plain', title: 'plain', description: 'plain', sport: 'plain', disciplines: 'plain', positions: 'plain', sex: 'plain',
  ageRange: 'jsonb', nationalities: 'plain', country: 'plain', city: 'plain', coordinates: 'jsonb', venue: 'plain', startDate: 'plain', endDate: 'plain',
  applicationOpensAt: 'plain', applicationDeadline: 'plain', totalOpenings: 'plain', remainingOpenings: 'plain', requirements: 'jsonb',
  languages: 'plain', minorsAllowed: 'plain', award: 'jsonb', academic: 'jsonb', sessions: 'jsonb', attendingOrganizationIds: 'plain',
  livestreamUrl: 'plain', profile: 'jsonb', contractType: 'plain',
});

/** A published opportunity stays readable by id, in any later status, while its organization is public. */
export const isPublic = (row: OpportunityRow): boolean => row.status !== 'DRAFT' && row.organizationPublic;

export const opportunityResource: Resource<OpportunityRow> = {
  type: 'opportunity',
  table: opportunities,
  created: 'opportunity.created',
  updated: 'opportunity.updated',
  deleted: 'opportunity.deleted',
  // prettier-ignore
  required: [
    'title', 'description', 'disciplines', 'positions', 'nationalities', 'applicationDeadline', 'totalOpenings', 'requirements', 'languages',
    'minorsAllowed', 'sessions', 'attendingOrganizationIds',
  ],
  isPublic,
  hasRegistryIds: false,
  lifecycle: { initial: 'DRAFT', transitions: opportunityTransitions },
  computed: (row) => ({ search: searchText([row.title]) }),
};
