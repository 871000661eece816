/** The `transfer` table, its row type, and the resource description that writes use. */
import {
  column,
  computedColumn,
  defineTable,
  jsonColumn,
  resourceColumns,
  type RowOf,
} from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import { publishedTransfer } from '../organizations/visibility.ts';
import type { Sport, TransferStatus, TransferType } from '../generated/resolvers.ts';

export interface Fee {
  readonly disclosed: boolean;
  readonly amountMinor?: number | null;
  readonly currency?: string | null;
}

const transferColumns = {
  ...resourceColumns,
  /** The account of the previous organization. */
  fromAccountId: column<string | null>(),
  /** The account of the athlete. */
  personAccountId: column<string>(),
  status: column<TransferStatus>(),
  type: column<TransferType>(),
  date: column<string>(),
  athleteId: column<string>(),
  sport: column<Sport | null>(),
  fromOrganizationId: column<string | null>(),
  fromTeamId: column<string | null>(),
  fromMembershipId: column<string | null>(),
  toOrganizationId: column<string | null>(),
  toTeamId: column<string | null>(),
  toMembershipId: column<string | null>(),
  fee: jsonColumn<Fee | null>(),
  loanUntil: column<string | null>(),
  /** Whether the row is public. */
  published: computedColumn<boolean>(publishedTransfer),
};

export type TransferRow = RowOf<typeof transferColumns>;

export type TransferPage = Page<TransferRow>;

export const transfers = defineTable('transfer', transferColumns);

export const transferResource: Resource<TransferRow> = {
  type: 'transfer',
  table: transfers,
  created: 'transfer.created',
  updated: 'transfer.updated',
  deleted: 'transfer.deleted',
  required: [],
  isPublic: (row) => row.published,
  hasRegistryIds: false,
};
