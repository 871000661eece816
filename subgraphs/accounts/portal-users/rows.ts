/** The table of portal users and its rows. The columns do not include the password hash. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { PortalUserStatus, SignInMethod } from '../generated/resolvers.ts';

export interface PortalUserRow extends Snapshot {
  readonly accountId: null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerifiedAt: string | null;
  readonly status: PortalUserStatus;
  readonly lastSignedInAt: string | null;
  readonly signsInBy: SignInMethod | null;
  readonly erasedAt: string | null;
}

export type PortalUserPage = Page<PortalUserRow>;

export const portalUsers = table<PortalUserRow>('portal_user', {
  id: 'plain',
  accountId: sql`null`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  email: 'plain',
  emailVerifiedAt: 'plain',
  status: 'plain',
  lastSignedInAt: 'plain',
  erasedAt: 'plain',
  signsInBy: sql`case when portal_user.password_hash is not null then 'PASSWORD' when portal_user.oidc_subject is not null then 'OIDC' end`,
});
