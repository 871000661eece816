/** The API key table and its rows. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { PlanAssignment } from '../plans/terms.ts';
import type { ApiKeyStatus } from '../generated/resolvers.ts';

export interface ApiKeyRow extends ResourceRow, PlanAssignment {
  readonly publicId: string;
  readonly name: string;
  readonly scopes: string[];
  readonly allowedCidrs: string[];
  readonly registeredDocumentsOnly: boolean;
  readonly quotaSubjectId: string;
  readonly rotatedTo: string | null;
  readonly rotatedFrom: string | null;
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
  readonly createdBy: string;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
  readonly revokedWhy: string | null;
  readonly lastUsedAt: string | null;
}

export type ApiKeyPage = Page<ApiKeyRow>;

/** Without `hash`: a column that is not in the row cannot reach a response, the history or an event. */
export const apiKeys = table<ApiKeyRow>('api_key', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  publicId: 'plain',
  name: 'plain',
  planCode: 'plain',
  planVersion: 'plain',
  nextPlanCode: 'plain',
  nextPlanVersion: 'plain',
  nextPlanAt: 'plain',
  scopes: 'plain',
  allowedCidrs: 'plain',
  registeredDocumentsOnly: 'plain',
  quotaSubjectId: 'plain',
  rotatedTo: 'plain',
  rotatedFrom: 'plain',
  status: 'plain',
  expiresAt: 'plain',
  createdBy: 'plain',
  revokedAt: 'plain',
  revokedBy: 'plain',
  revokedWhy: 'plain',
  lastUsedAt: sql`select nullif(u.used_at, '-infinity') from key_use u where u.key_id = api_key.id`,
});

export const apiKeyResource: Resource<ApiKeyRow> = {
  type: 'api_key',
  table: apiKeys,
  created: 'api_key.issued',
  updated: 'api_key.updated',
  required: ['name', 'registeredDocumentsOnly'],
  isPublic: () => false,
};
