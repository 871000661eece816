/** The account table and its rows. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { AccountStatus } from '../generated/resolvers.ts';

export interface AccountRow extends ResourceRow {
  readonly name: string;
  readonly email: string | null;
  readonly organizationId: string | null;
  readonly status: AccountStatus;
  readonly legalName: string | null;
  readonly billingAddress: string | null;
  readonly vatId: string | null;
  readonly reverseCharge: boolean;
  readonly stripeCustomerId: string | null;
}

export type AccountPage = Page<AccountRow>;

export const accounts = table<AccountRow>('account', {
  id: 'plain',
  accountId: sql`account.id`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  email: 'plain',
  organizationId: 'plain',
  status: 'plain',
  legalName: 'plain',
  billingAddress: 'plain',
  vatId: 'plain',
  reverseCharge: 'plain',
  stripeCustomerId: 'plain',
});

export const accountResource: Resource<AccountRow> = {
  type: 'account',
  table: accounts,
  created: 'account.created',
  updated: 'account.updated',
  required: ['name', 'reverseCharge'],
  isPublic: () => false,
};
