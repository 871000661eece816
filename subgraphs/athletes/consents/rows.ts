/** The `consent` table and its row type. A consent is given once, withdrawn at most once, and never edited. */
import { column, defineTable, jsonColumn, resourceColumns, type RowOf } from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { ConsentScope } from '../generated/resolvers.ts';

const consentColumns = {
  ...resourceColumns,
  athleteId: column<string>(),
  guardian: jsonColumn<{ readonly name: string; readonly relationship: string; readonly email: string | null }>(),
  scopes: column<ConsentScope[]>(),
  textVersion: column<string>(),
  evidence: jsonColumn<{ readonly kind: string; readonly reference: string }>(),
  withdrawnAt: column<string | null>(),
  withdrawalReason: column<string | null>(),
};

export type ConsentRow = RowOf<typeof consentColumns>;

export type ConsentPage = Page<ConsentRow>;

export const consents = defineTable('consent', consentColumns);

export const consentResource: Resource<ConsentRow> = {
  type: 'consent',
  table: consents,
  created: 'consent.given',
  updated: 'consent.withdrawn',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};
