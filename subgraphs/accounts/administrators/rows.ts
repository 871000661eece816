/** The administrator table and its rows. The columns do not include the password hash. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { Role } from '../../../schema/roles.ts';
import type { AdministratorStatus, SignInMethod } from '../generated/resolvers.ts';

export interface AdministratorRow extends Snapshot {
  readonly accountId: null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly status: AdministratorStatus;
  readonly lastSignedInAt: string | null;
  readonly signsInBy: SignInMethod | null;
  readonly erasedAt: string | null;
}

export type AdministratorPage = Page<AdministratorRow>;

export const administrators = table<AdministratorRow>('administrator', {
  id: 'plain',
  accountId: sql`null`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  email: 'plain',
  role: 'plain',
  status: 'plain',
  lastSignedInAt: 'plain',
  erasedAt: 'plain',
  signsInBy: sql`case when administrator.password_hash is not null then 'PASSWORD' when administrator.oidc_subject is not null then 'OIDC' end`,
});
