/** The tables of members and invitations, and their rows. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { InvitationStatus } from '../generated/resolvers.ts';
import { createRecordedRows } from '../recorded-rows.ts';

export interface MemberRow extends Snapshot {
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly removedAt: string | null;
  readonly name: string;
  readonly email: string;
  readonly lastSignedInAt: string | null;
}

export const members = table<MemberRow>('account_member', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  userId: 'plain',
  role: 'plain',
  removedAt: 'plain',
  name: sql`select u.name from portal_user u where u.id = account_member.user_id`,
  email: sql`select u.email from portal_user u where u.id = account_member.user_id`,
  lastSignedInAt: sql`select u.last_signed_in_at from portal_user u where u.id = account_member.user_id`,
});

export const memberRows = createRecordedRows(members, 'account_member');

export interface InvitationRow extends Snapshot {
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly invitedBy: string;
  readonly expiresAt: string;
  readonly acceptedAt: string | null;
  readonly withdrawnAt: string | null;
  readonly status: InvitationStatus;
}

/** Without the hash of the token: a column that is not in the row cannot reach a response or the history. */
export const invitations = table<InvitationRow>('account_invitation', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  email: 'plain',
  role: 'plain',
  invitedBy: 'plain',
  expiresAt: 'plain',
  acceptedAt: 'plain',
  withdrawnAt: 'plain',
  status: sql`case when account_invitation.accepted_at is not null then 'ACCEPTED'
    when account_invitation.withdrawn_at is not null then 'WITHDRAWN'
    when account_invitation.expires_at <= now() then 'EXPIRED' else 'OPEN' end`,
});

export const invitationRows = createRecordedRows(invitations, 'account_invitation');
