/** Consents of guardians as rows: given once, withdrawn once, never changed otherwise. */
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { table } from '../../../platform/database/table.ts';
import type { ConsentScope } from '../resolvers.generated.ts';

export interface ConsentRow extends ResourceRow {
  readonly athleteId: string;
  readonly guardian: { readonly name: string; readonly relationship: string; readonly email: string | null };
  readonly scopes: ConsentScope[];
  readonly textVersion: string;
  readonly evidence: { readonly kind: string; readonly reference: string };
  readonly withdrawnAt: string | null;
  readonly withdrawalReason: string | null;
}

export type ConsentPage = Page<ConsentRow>;

export const consents = table<ConsentRow>('consent', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  athleteId: 'plain',
  guardian: 'jsonb',
  scopes: 'plain',
  textVersion: 'plain',
  evidence: 'jsonb',
  withdrawnAt: 'plain',
  withdrawalReason: 'plain',
});

export const consentResource: Resource<ConsentRow> = {
  type: 'consent',
  table: consents,
  created: 'consent.given',
  updated: 'consent.withdrawn',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};
